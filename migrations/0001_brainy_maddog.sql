CREATE TABLE `account_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`accountId` text NOT NULL,
	`purpose` text NOT NULL,
	`expiresAt` integer NOT NULL,
	FOREIGN KEY (`accountId`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `account_tokens_account` ON `account_tokens` (`accountId`);--> statement-breakpoint
CREATE INDEX `account_tokens_expires` ON `account_tokens` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`emailVerifiedAt` integer,
	`passwordHash` text,
	`passwordVersion` integer DEFAULT 1 NOT NULL,
	`googleSubject` text,
	`createdAt` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_email_unique` ON `accounts` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_googleSubject_unique` ON `accounts` (`googleSubject`);--> statement-breakpoint
CREATE TABLE `attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`windowEndsAt` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `attempts_ends` ON `attempts` (`windowEndsAt`);--> statement-breakpoint
CREATE TABLE `first_run` (
	`id` integer PRIMARY KEY NOT NULL,
	`doneAt` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `password_changes` (
	`accountId` text NOT NULL,
	`version` integer NOT NULL,
	`reason` text NOT NULL,
	`changedAt` integer NOT NULL,
	PRIMARY KEY(`accountId`, `version`),
	FOREIGN KEY (`accountId`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`accountId` text NOT NULL,
	`passwordVersion` integer NOT NULL,
	`createdAt` integer NOT NULL,
	`lastUsedAt` integer NOT NULL,
	`device` text NOT NULL,
	FOREIGN KEY (`accountId`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_account` ON `sessions` (`accountId`);--> statement-breakpoint
CREATE INDEX `sessions_created` ON `sessions` (`createdAt`);--> statement-breakpoint
CREATE TABLE `mails` (
	`_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`createdAt` integer NOT NULL,
	`dueAt` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`failure` text
);
--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`dueAt`);--> statement-breakpoint
CREATE INDEX `mails_tries` ON `mails` (`tries`);