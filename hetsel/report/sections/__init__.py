"""The report of a study, one file a section; their order is in `pages/section_list`."""
