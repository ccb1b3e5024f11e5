DROP TABLE `customer_words`;--> statement-breakpoint
DROP TABLE `customers`;--> statement-breakpoint
CREATE TABLE `customers` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`_id` text NOT NULL,
	`hasAccount` integer NOT NULL,
	`firstOrderId` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers__id_unique` ON `customers` (`_id`);--> statement-breakpoint
CREATE INDEX `customers_sequence` ON `customers` (`sequence`);--> statement-breakpoint
CREATE INDEX `customers_email` ON `customers` (`email`);--> statement-breakpoint
DROP INDEX `orders_unclaimed`;--> statement-breakpoint
CREATE INDEX `orders_unclaimed` ON `orders` (`customerEmail`,`accountId`,`_id`) WHERE "orders"."accountId" = '' AND "orders"."customerEmail" <> '';--> statement-breakpoint
-- Written by hand, as drizzle-kit knows neither full-text indexes nor triggers (docs/decisions/customers.md).
INSERT OR REPLACE INTO `customer_counts` (`scope`, `count`) VALUES ('all', 0);--> statement-breakpoint
CREATE VIRTUAL TABLE `customer_search` USING fts5(`name`, `email`, content='customers', content_rowid='sequence', tokenize='unicode61 remove_diacritics 2', prefix='2 3');--> statement-breakpoint
-- Without this option the index would keep the words of deleted rows until it is next merged.
INSERT INTO `customer_search` (`customer_search`, `rank`) VALUES ('secure-delete', 1);--> statement-breakpoint
CREATE TRIGGER `customers_added` AFTER INSERT ON `customers`
BEGIN
	INSERT INTO `customer_search` (`rowid`, `name`, `email`) VALUES (NEW.`sequence`, NEW.`name`, NEW.`email`);
	UPDATE `customer_counts` SET `count` = `count` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `customers_removed` AFTER DELETE ON `customers`
BEGIN
	INSERT INTO `customer_search` (`customer_search`, `rowid`, `name`, `email`) VALUES ('delete', OLD.`sequence`, OLD.`name`, OLD.`email`);
	UPDATE `customer_counts` SET `count` = `count` - 1;
END;
--> statement-breakpoint
CREATE TRIGGER `customers_renamed` AFTER UPDATE OF `name`, `email` ON `customers` WHEN (NEW.`name`, NEW.`email`) <> (OLD.`name`, OLD.`email`)
BEGIN
	INSERT INTO `customer_search` (`customer_search`, `rowid`, `name`, `email`) VALUES ('delete', OLD.`sequence`, OLD.`name`, OLD.`email`);
	INSERT INTO `customer_search` (`rowid`, `name`, `email`) VALUES (NEW.`sequence`, NEW.`name`, NEW.`email`);
END;
