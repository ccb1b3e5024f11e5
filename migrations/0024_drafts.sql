CREATE TABLE `drafts` (
	`accountId` text NOT NULL,
	`section` text NOT NULL,
	`recordId` text NOT NULL,
	`version` integer,
	`values` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`accountId`, `section`, `recordId`)
);
