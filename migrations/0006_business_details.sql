CREATE TABLE `business_details` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`legalName` text DEFAULT '' NOT NULL,
	`postalAddress` text DEFAULT '' NOT NULL,
	`taxNumber` text DEFAULT '' NOT NULL,
	`registration` text DEFAULT '' NOT NULL,
	`billingEmail` text DEFAULT '' NOT NULL,
	`receiptNote` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `business_details_singleton` ON `business_details` (`position`);--> statement-breakpoint
ALTER TABLE `orders` ADD `customerCompany` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `customerTaxNumber` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `paidWith` text DEFAULT '' NOT NULL;