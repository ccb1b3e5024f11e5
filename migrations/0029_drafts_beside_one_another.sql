PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_drafts` (
	`accountId` text NOT NULL,
	`section` text NOT NULL,
	`recordId` text NOT NULL,
	`draftId` text DEFAULT '' NOT NULL,
	`version` integer,
	`values` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`accountId`, `section`, `recordId`, `draftId`)
);
--> statement-breakpoint
INSERT INTO `__new_drafts`("accountId", "section", "recordId", "draftId", "version", "values", "at") SELECT "accountId", "section", "recordId", '', "version", "values", "at" FROM `drafts`;--> statement-breakpoint
DROP TABLE `drafts`;--> statement-breakpoint
ALTER TABLE `__new_drafts` RENAME TO `drafts`;--> statement-breakpoint
PRAGMA foreign_keys=ON;