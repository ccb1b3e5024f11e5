CREATE TABLE `passkeys` (
	`_id` text PRIMARY KEY NOT NULL,
	`accountId` text NOT NULL,
	`credentialId` text NOT NULL,
	`publicKey` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text DEFAULT '[]' NOT NULL,
	`name` text NOT NULL,
	`addedAt` integer NOT NULL,
	`lastUsedAt` integer,
	FOREIGN KEY (`accountId`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credentialId_unique` ON `passkeys` (`credentialId`);--> statement-breakpoint
CREATE INDEX `passkeys_account` ON `passkeys` (`accountId`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`accountId` text NOT NULL,
	`madeAt` integer NOT NULL,
	FOREIGN KEY (`accountId`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_account` ON `recovery_codes` (`accountId`);--> statement-breakpoint
CREATE TABLE `spent_challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`expiresAt` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `spent_challenges_expires` ON `spent_challenges` (`expiresAt`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `passkeyHandle` text;--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_passkeyHandle_unique` ON `accounts` (`passkeyHandle`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `shown` text DEFAULT 'nothing' NOT NULL;