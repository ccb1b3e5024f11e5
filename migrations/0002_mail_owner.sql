ALTER TABLE `mails` ADD `accountId` text;--> statement-breakpoint
CREATE INDEX `mails_account` ON `mails` (`accountId`);