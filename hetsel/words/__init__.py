"""The only room that makes sentences, of facts that were answered; nobody but people reads them."""
