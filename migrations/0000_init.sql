CREATE TABLE `banners` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`bannerHeading` text DEFAULT '' NOT NULL,
	`bannerDetails` text DEFAULT '' NOT NULL,
	`bannerText` text DEFAULT '' NOT NULL,
	`imageOne` text DEFAULT '' NOT NULL,
	`buttonText` text DEFAULT '' NOT NULL,
	`buttonURL` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `banners_singleton` ON `banners` (`position`);--> statement-breakpoint
CREATE TABLE `logos` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`logo` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `logos_singleton` ON `logos` (`position`);--> statement-breakpoint
CREATE TABLE `abouts` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`aboutImgOne` text DEFAULT '' NOT NULL,
	`aboutHeading` text DEFAULT '' NOT NULL,
	`aboutText` text DEFAULT '' NOT NULL,
	`aboutDetails` text DEFAULT '' NOT NULL,
	`aboutImg` text DEFAULT '' NOT NULL,
	`aboutPointone` text DEFAULT '' NOT NULL,
	`aboutPointwo` text DEFAULT '' NOT NULL,
	`aboutPointhree` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `abouts_singleton` ON `abouts` (`position`);--> statement-breakpoint
CREATE TABLE `service_texts` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`serviceHeading` text DEFAULT '' NOT NULL,
	`servicesubHeading` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `service_texts_singleton` ON `service_texts` (`position`);--> statement-breakpoint
CREATE TABLE `service_items` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`serviceIcon` text DEFAULT '' NOT NULL,
	`serviceTitle` text DEFAULT '' NOT NULL,
	`serviceDetails` text DEFAULT '' NOT NULL,
	`serviceImg` text DEFAULT '' NOT NULL,
	`serviceName` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `counters` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`happyClientsNumber` text DEFAULT '' NOT NULL,
	`happyClientsText` text DEFAULT '' NOT NULL,
	`projectCompleteNumber` text DEFAULT '' NOT NULL,
	`projectCompleteText` text DEFAULT '' NOT NULL,
	`yearofExperienceNumber` text DEFAULT '' NOT NULL,
	`yearofExperienceText` text DEFAULT '' NOT NULL,
	`teamNumber` text DEFAULT '' NOT NULL,
	`teamText` text DEFAULT '' NOT NULL,
	`winingAwardNumber` text DEFAULT '' NOT NULL,
	`winingAwardText` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `counters_singleton` ON `counters` (`position`);--> statement-breakpoint
CREATE TABLE `pricing_packages` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`packageName` text DEFAULT '' NOT NULL,
	`packagePrice` text DEFAULT '' NOT NULL,
	`packageButtonText` text DEFAULT '' NOT NULL,
	`packagePointOne` text DEFAULT '' NOT NULL,
	`packagePointTwo` text DEFAULT '' NOT NULL,
	`packagePointThree` text DEFAULT '' NOT NULL,
	`packagePointFour` text DEFAULT '' NOT NULL,
	`packagePointFive` text DEFAULT '' NOT NULL,
	`packagePointSix` text DEFAULT '' NOT NULL,
	`packagePointSeven` text DEFAULT '' NOT NULL,
	`packagePointEight` text DEFAULT '' NOT NULL,
	`packagePointNine` text DEFAULT '' NOT NULL,
	`packagePointTen` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pricing_packages_packageName_unique` ON `pricing_packages` (lower("packageName"));--> statement-breakpoint
CREATE TABLE `testimonial_texts` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`testimonialText` text DEFAULT '' NOT NULL,
	`testimonialHeading` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `testimonial_texts_singleton` ON `testimonial_texts` (`position`);--> statement-breakpoint
CREATE TABLE `testimonials` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`image` text DEFAULT '' NOT NULL,
	`personName` text DEFAULT '' NOT NULL,
	`personTitle` text DEFAULT '' NOT NULL,
	`desc` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `footer_addresses` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`phoneNumber` text DEFAULT '' NOT NULL,
	`emailAddress` text DEFAULT '' NOT NULL,
	`location` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `footer_addresses_singleton` ON `footer_addresses` (`position`);--> statement-breakpoint
CREATE TABLE `footer_socials` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`aboutText` text DEFAULT '' NOT NULL,
	`youlink` text DEFAULT '' NOT NULL,
	`fblink` text DEFAULT '' NOT NULL,
	`inslink` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `footer_socials_singleton` ON `footer_socials` (`position`);--> statement-breakpoint
CREATE TABLE `copyrights` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`copyrightText` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `copyrights_singleton` ON `copyrights` (`position`);--> statement-breakpoint
CREATE TABLE `footer_abouts` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`aboutFooterText` text DEFAULT '' NOT NULL,
	`aboutFooterDetails` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `footer_abouts_singleton` ON `footer_abouts` (`position`);--> statement-breakpoint
CREATE TABLE `contact_details` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`contactImg` text DEFAULT '' NOT NULL,
	`contactTitle` text DEFAULT '' NOT NULL,
	`contactDetails` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `experiences` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`experienceText` text DEFAULT '' NOT NULL,
	`experienceHeading` text DEFAULT '' NOT NULL,
	`experienceDetails` text DEFAULT '' NOT NULL,
	`skillOneText` text DEFAULT '' NOT NULL,
	`skillOneNumber` text DEFAULT '' NOT NULL,
	`skillTwoText` text DEFAULT '' NOT NULL,
	`skillTwoNumber` text DEFAULT '' NOT NULL,
	`skillThreeText` text DEFAULT '' NOT NULL,
	`skillThreeNumber` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `experiences_singleton` ON `experiences` (`position`);--> statement-breakpoint
CREATE TABLE `features_texts` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`FeaturesText` text DEFAULT '' NOT NULL,
	`FeaturesHeading` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `features_texts_singleton` ON `features_texts` (`position`);--> statement-breakpoint
CREATE TABLE `feature_items` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`FeaturesImg` text DEFAULT '' NOT NULL,
	`FeaturesIcon` text DEFAULT '' NOT NULL,
	`FeaturesText` text DEFAULT '' NOT NULL,
	`FeaturesDesc` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `work_steps` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`stepNumber` text DEFAULT '' NOT NULL,
	`stepTitle` text DEFAULT '' NOT NULL,
	`stepDetails` text DEFAULT '' NOT NULL,
	`stapIcon` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `video_texts` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`headingVideo` text DEFAULT '' NOT NULL,
	`videoImage` text DEFAULT '' NOT NULL,
	`videoLink` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `video_texts_singleton` ON `video_texts` (`position`);--> statement-breakpoint
CREATE TABLE `video_items` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`videoItemIcon` text DEFAULT '' NOT NULL,
	`videoItemTitle` text DEFAULT '' NOT NULL,
	`videoItemDetails` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `team_texts` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`teamHeading` text DEFAULT '' NOT NULL,
	`teamText` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `team_texts_singleton` ON `team_texts` (`position`);--> statement-breakpoint
CREATE TABLE `team_items` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`teamMemberImg` text DEFAULT '' NOT NULL,
	`teamMemberName` text DEFAULT '' NOT NULL,
	`teamMemberTitle` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `actions` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`heading` text DEFAULT '' NOT NULL,
	`subHeading` text DEFAULT '' NOT NULL,
	`buttonLink` text DEFAULT '' NOT NULL,
	`buttonText` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `actions_singleton` ON `actions` (`position`);--> statement-breakpoint
CREATE TABLE `steps` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`stepNumber` text DEFAULT '' NOT NULL,
	`stepTitle` text DEFAULT '' NOT NULL,
	`stepDetails` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `faq_texts` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`faqText` text DEFAULT '' NOT NULL,
	`faqHeading` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `faq_texts_singleton` ON `faq_texts` (`position`);--> statement-breakpoint
CREATE TABLE `faq_items` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`accodingTitle` text DEFAULT '' NOT NULL,
	`accodingText` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `search_texts` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`page` text DEFAULT '' NOT NULL,
	`pageTitle` text DEFAULT '' NOT NULL,
	`pageDescription` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `search_texts_page_unique` ON `search_texts` (lower("page"));--> statement-breakpoint
CREATE TABLE `stripe_keys` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`stripeKey` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stripe_keys_singleton` ON `stripe_keys` (`position`);--> statement-breakpoint
CREATE TABLE `users` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`userEmail` text DEFAULT '' NOT NULL,
	`userRole` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_userEmail_unique` ON `users` (lower("userEmail"));--> statement-breakpoint
CREATE TABLE `design_items` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`format` text DEFAULT '' NOT NULL,
	`canvaLink` text DEFAULT '' NOT NULL,
	`imageLink` text DEFAULT '' NOT NULL,
	`category` text DEFAULT '' NOT NULL,
	`freeOrPaid` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE `inbox_counts` (
	`name` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `inbox_events` (
	`_id` text PRIMARY KEY NOT NULL,
	`recordId` text NOT NULL,
	`at` integer NOT NULL,
	`accountId` text NOT NULL,
	`before` text NOT NULL,
	`after` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `inbox_events_record` ON `inbox_events` (`recordId`);--> statement-breakpoint
CREATE TABLE `messages` (
	`_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`number` text NOT NULL,
	`subject` text NOT NULL,
	`message` text NOT NULL,
	`messageStatus` text NOT NULL,
	`receivedAt` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `messages_status` ON `messages` (`messageStatus`,`_id`);--> statement-breakpoint
CREATE TABLE `subscribers` (
	`_id` text PRIMARY KEY NOT NULL,
	`subemail` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_email` ON `subscribers` (lower("subemail"));--> statement-breakpoint
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
CREATE INDEX `mails_tries` ON `mails` (`tries`);--> statement-breakpoint
CREATE TABLE `order_events` (
	`orderId` text NOT NULL,
	`version` integer NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`role` text NOT NULL,
	`accountId` text NOT NULL,
	`before` text NOT NULL,
	`after` text NOT NULL,
	PRIMARY KEY(`orderId`, `version`)
);
--> statement-breakpoint
CREATE INDEX `order_events_account` ON `order_events` (`accountId`);--> statement-breakpoint
CREATE TABLE `order_totals` (
	`scope` text NOT NULL,
	`day` text NOT NULL,
	`paymentStatus` text NOT NULL,
	`orderStatus` text NOT NULL,
	`orders` integer NOT NULL,
	`cents` integer NOT NULL,
	PRIMARY KEY(`scope`, `day`, `paymentStatus`, `orderStatus`)
);
--> statement-breakpoint
CREATE TABLE `orders` (
	`_id` text PRIMARY KEY NOT NULL,
	`accountId` text NOT NULL,
	`packageName` text NOT NULL,
	`packagePrice` text NOT NULL,
	`priceCents` integer NOT NULL,
	`packagePoints` text NOT NULL,
	`customerEmail` text NOT NULL,
	`customerName` text NOT NULL,
	`customerAddress` text NOT NULL,
	`customerCountry` text NOT NULL,
	`paymentStatus` text NOT NULL,
	`orderStatus` text NOT NULL,
	`orderDay` text NOT NULL,
	`paymentMethod` text DEFAULT 'PayPal' NOT NULL,
	`transactionId` text DEFAULT '' NOT NULL,
	`paymentIntentId` text DEFAULT '' NOT NULL,
	`idempotencyKey` text,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_idempotency` ON `orders` (`accountId`,`idempotencyKey`);--> statement-breakpoint
CREATE INDEX `orders_account` ON `orders` (`accountId`,`_id`,`paymentStatus`,`orderStatus`);--> statement-breakpoint
CREATE INDEX `orders_payment` ON `orders` (`paymentStatus`,`_id`);--> statement-breakpoint
CREATE INDEX `orders_status` ON `orders` (`orderStatus`,`_id`);--> statement-breakpoint
CREATE INDEX `orders_statuses` ON `orders` (`paymentStatus`,`orderStatus`,`_id`);--> statement-breakpoint
CREATE INDEX `orders_day` ON `orders` (`orderDay`,`_id`);--> statement-breakpoint
CREATE INDEX `orders_price` ON `orders` (`priceCents`,`_id`,`paymentStatus`,`orderStatus`);--> statement-breakpoint
CREATE INDEX `orders_customer` ON `orders` ("customerName" COLLATE NOCASE,`_id`,`paymentStatus`,`orderStatus`);--> statement-breakpoint
CREATE TABLE `payment_intents` (
	`_id` text PRIMARY KEY NOT NULL,
	`paymentIntentId` text NOT NULL,
	`orderId` text NOT NULL,
	`startedAt` integer NOT NULL,
	`checkAt` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`problem` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_intents_paymentIntentId_unique` ON `payment_intents` (`paymentIntentId`);--> statement-breakpoint
CREATE INDEX `payment_intents_check` ON `payment_intents` (`checkAt`);--> statement-breakpoint
CREATE INDEX `payment_intents_problem` ON `payment_intents` (`startedAt`) WHERE "payment_intents"."problem" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `payments` (
	`_id` text PRIMARY KEY NOT NULL,
	`orderId` text NOT NULL,
	`method` text NOT NULL,
	`paymentIntentId` text,
	`amountCents` integer NOT NULL,
	`currency` text NOT NULL,
	`outcome` text NOT NULL,
	`refusal` text,
	`refundId` text,
	`at` integer NOT NULL,
	`seenBy` text,
	`seenAt` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_paymentIntentId_unique` ON `payments` (`paymentIntentId`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_settled` ON `payments` (`orderId`) WHERE "payments"."outcome" = 'settled';--> statement-breakpoint
CREATE INDEX `payments_refund_due` ON `payments` (`at`) WHERE "payments"."outcome" = 'refundDue';--> statement-breakpoint
CREATE INDEX `payments_unseen` ON `payments` (`at`) WHERE "payments"."refusal" IS NOT NULL AND "payments"."seenAt" IS NULL;--> statement-breakpoint
CREATE TABLE `content_history` (
	`id` text PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`section` text NOT NULL,
	`recordId` text NOT NULL,
	`version` integer NOT NULL,
	`action` text NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL,
	`before` text,
	`after` text,
	`positionBefore` integer,
	`positionAfter` integer
);
--> statement-breakpoint
CREATE INDEX `content_history_record` ON `content_history` (`recordId`,`version`);--> statement-breakpoint
CREATE INDEX `content_history_revision` ON `content_history` (`revision`);--> statement-breakpoint
CREATE TABLE `page_sets` (
	`buildId` text PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`renderedAt` integer DEFAULT (unixepoch() * 1000) NOT NULL
);
--> statement-breakpoint
CREATE TABLE `pages` (
	`buildId` text NOT NULL,
	`path` text NOT NULL,
	`html` text NOT NULL,
	`etag` text NOT NULL,
	`csp` text NOT NULL,
	`revision` integer NOT NULL,
	PRIMARY KEY(`buildId`, `path`)
);
--> statement-breakpoint
CREATE TABLE `publications` (
	`revision` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL,
	`changedPages` text NOT NULL,
	`readMs` integer,
	`renderMs` integer,
	`writeMs` integer
);
