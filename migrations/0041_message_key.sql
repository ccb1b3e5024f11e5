ALTER TABLE `messages` ADD `idempotencyKey` text;--> statement-breakpoint
CREATE UNIQUE INDEX `messages_idempotency` ON `messages` (`idempotencyKey`);