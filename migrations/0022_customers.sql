CREATE TABLE `customer_counts` (
	`scope` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `customer_words` (
	`word` text NOT NULL,
	`accountId` text NOT NULL,
	PRIMARY KEY(`word`, `accountId`)
);
--> statement-breakpoint
CREATE INDEX `customer_words_account` ON `customer_words` (`accountId`);--> statement-breakpoint
CREATE TABLE `customers` (
	`accountId` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `customer_notes` (
	`_id` text PRIMARY KEY NOT NULL,
	`customerId` text NOT NULL,
	`accountId` text NOT NULL,
	`text` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `customer_notes_customer` ON `customer_notes` (`customerId`,`_id`);--> statement-breakpoint
CREATE INDEX `messages_sender` ON `messages` (lower("email"),`_id`);--> statement-breakpoint
INSERT INTO `customers` (`accountId`, `name`) SELECT `accountId`, `customerName` FROM `orders` WHERE `_id` IN (SELECT max(`_id`) FROM `orders` WHERE `accountId` <> '' GROUP BY `accountId`);--> statement-breakpoint
INSERT INTO `customer_counts` (`scope`, `count`) SELECT 'all', count(*) FROM `customers`;--> statement-breakpoint
INSERT OR IGNORE INTO `customer_words` (`word`, `accountId`)
WITH RECURSIVE split(`accountId`, `word`, `rest`) AS (
  SELECT `accountId`, '', lower(`name`) || ' ' FROM `customers`
  UNION ALL
  SELECT `accountId`, substr(`rest`, 1, instr(`rest`, ' ') - 1), substr(`rest`, instr(`rest`, ' ') + 1) FROM split WHERE `rest` <> ''
)
SELECT `word`, `accountId` FROM split WHERE `word` <> '';
