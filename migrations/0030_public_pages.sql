CREATE TABLE `sample_reports` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`reportHeading` text DEFAULT '' NOT NULL,
	`reportDetails` text DEFAULT '' NOT NULL,
	`reportPageOne` text DEFAULT '' NOT NULL,
	`reportPageTwo` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sample_reports_singleton` ON `sample_reports` (`position`);--> statement-breakpoint
CREATE TABLE `report_notes` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`noteTitle` text DEFAULT '' NOT NULL,
	`noteDetails` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `pricing_texts` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`pricingHeading` text DEFAULT '' NOT NULL,
	`pricingDetails` text DEFAULT '' NOT NULL,
	`pricingLinkText` text DEFAULT '' NOT NULL,
	`pricingPageText` text DEFAULT '' NOT NULL,
	`comparisonHeading` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pricing_texts_singleton` ON `pricing_texts` (`position`);--> statement-breakpoint
CREATE TABLE `comparison_rows` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`comparisonTitle` text DEFAULT '' NOT NULL,
	`basicValue` text DEFAULT '' NOT NULL,
	`standardValue` text DEFAULT '' NOT NULL,
	`premiumValue` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `example_texts` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`exampleHeading` text DEFAULT '' NOT NULL,
	`exampleDetails` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `example_texts_singleton` ON `example_texts` (`position`);--> statement-breakpoint
CREATE TABLE `example_days` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`dayDate` text DEFAULT '' NOT NULL,
	`dayTitle` text DEFAULT '' NOT NULL,
	`dayDetails` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
ALTER TABLE `abouts` ADD `aboutLinkText` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `abouts` ADD `aboutLink` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `service_texts` ADD `serviceLinkText` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `service_texts` ADD `servicePageText` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `service_items` ADD `serviceMore` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `service_items` ADD `serviceResult` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `pricing_packages` ADD `packageFor` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `pricing_packages` ADD `packageTerms` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `pricing_packages` ADD `packageReason` text DEFAULT '' NOT NULL;