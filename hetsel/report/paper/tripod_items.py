"""The items of TRIPOD+AI in words of our own, and what a program cannot know of each.

Reference: Collins et al. (2024) BMJ 385, e078378: 27 items, 52 with their parts.
"""

from typing import NamedTuple


class Item(NamedTuple):
    """A part of the checklist.

    Parameters
    ----------
    number : str
    section : str
    topic : str
        What it is about.
    write : str
        What the authors must write; empty where all of it can be known here.
    """

    number: str
    section: str
    topic: str
    write: str


ITEMS = (
    Item("1", "title", "kind of study in the title", "say developed or evaluated, whom, outcome"),
    Item("2", "abstract", "what it holds", "follow the TRIPOD+AI list for abstracts"),
    Item("3a", "introduction", "clinical context", "say diagnosis or prognosis, why, what exists"),
    Item("3b", "introduction", "whom it is for, and who uses it", "say where in care it stands"),
    Item("3c", "introduction", "known inequalities", "say between which groups of people"),
    Item("4", "introduction", "aims", "say whether the study develops, evaluates, or both"),
    Item(
        "5a",
        "methods",
        "where the data come from",
        "say cohort, registry, trial; why these; whom they stand for",
    ),
    Item("5b", "methods", "dates", "say begin and end of inclusion and of follow-up"),
    Item("6a", "methods", "setting", "say centers, how many, where"),
    Item("6b", "methods", "eligibility", "say who was included and who was not"),
    Item("6c", "methods", "treatments", "say which were given, and how they were dealt with"),
    Item("7", "methods", "preparation of the data", "say what was done before hetsel read them"),
    Item("8a", "methods", "outcome", "define it: what, when, how assessed, at which time"),
    Item("8b", "methods", "who judged the outcome", "say their training, if judgment is needed"),
    Item("8c", "methods", "blinding of the outcome", "say what its judges knew"),
    Item("9a", "methods", "choice of candidate predictors", "say why these were offered"),
    Item("9b", "methods", "definition of predictors", "say how and when each was measured"),
    Item("9c", "methods", "who judged predictors", "say their training, if judgment is needed"),
    Item("10", "methods", "sample size", "say why so many, by which calculation"),
    Item("11", "methods", "missing data", "say why any data were left out"),
    Item("12a", "methods", "use of the data", ""),
    Item("12b", "methods", "form of the predictors", "say what was transformed before"),
    Item("12c", "methods", "model, its building and internal validation", "say why this method"),
    Item("12d", "methods", "differences between clusters", "say how centers or countries differ"),
    Item("12e", "methods", "measures of performance", "say which matter for the decision"),
    Item("12f", "methods", "updating", "say so of an evaluation: recalibrated, for whom, or not"),
    Item("12g", "methods", "how predictions are made", "say so of an evaluation: formula or file"),
    Item("13", "methods", "balance of the classes", ""),
    Item("14", "methods", "fairness", "say what was done to be fair to which groups"),
    Item("15", "methods", "output of the model", "say what a user sees, and any threshold"),
    Item(
        "16", "methods", "development against evaluation", "say how data differ, if there are both"
    ),
    Item("17", "methods", "ethics", "name the board, the approval, the consent"),
    Item("18a", "open science", "funding", "name sources and their part"),
    Item("18b", "open science", "conflicts of interest", "declare those of all authors"),
    Item("18c", "open science", "protocol", "say where it is, or that there is none"),
    Item("18d", "open science", "registration", "give registry and number, or say not registered"),
    Item("18e", "open science", "sharing of data", "say where and how they can be had"),
    Item("18f", "open science", "sharing of code", "publish the call and the saved signature"),
    Item("19", "patients", "patients and the public", "say how they took part, or that none did"),
    Item(
        "20a",
        "results",
        "flow of participants",
        "say who never came into the table, and the follow-up",
    ),
    Item(
        "20b",
        "results",
        "characteristics",
        "give a table of them, by source and by group of people",
    ),
    Item("20c", "results", "against the development data", "compare predictors, in an evaluation"),
    Item("21", "results", "participants and events in each analysis", ""),
    Item("22", "results", "the full model", "say where the saved file can be had, on which terms"),
    Item("23a", "results", "performance with intervals", "give it for subgroups that matter"),
    Item("23b", "results", "performance by cluster", "give it by center or country, if several"),
    Item("24", "results", "results of updating", "give the updated model, in an evaluation"),
    Item("25", "discussion", "interpretation", "say what it means, fairness and other studies too"),
    Item("26", "discussion", "limitations", "name them: who is missing, bias, overfitting"),
    Item("27a", "discussion", "poor or missing input in use", "say what a user should do then"),
    Item("27b", "discussion", "users", "say what they must do and know"),
    Item("27c", "discussion", "next steps", "say what must follow: evaluation elsewhere first"),
)
