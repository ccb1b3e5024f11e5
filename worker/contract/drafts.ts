/** Drafts as browser and server agree on them. */
