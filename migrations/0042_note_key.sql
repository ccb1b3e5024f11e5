ALTER TABLE `customer_notes` ADD `idempotencyKey` text;--> statement-breakpoint
CREATE UNIQUE INDEX `customer_notes_idempotency` ON `customer_notes` (`accountId`,`idempotencyKey`);