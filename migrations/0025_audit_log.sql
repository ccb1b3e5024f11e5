CREATE TABLE `audit_events` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`action` text NOT NULL,
	`accountId` text NOT NULL,
	`recordId` text NOT NULL,
	`network` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_events_at` ON `audit_events` (`at`);--> statement-breakpoint
CREATE INDEX `accounts_unconfirmed` ON `accounts` (`emailVerifiedAt`,`createdAt`);