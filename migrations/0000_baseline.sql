CREATE TABLE `assertions` (
	`failed` text NOT NULL,
	CONSTRAINT "assert_unchanged" CHECK("failed" <> 'unchanged'),
	CONSTRAINT "assert_contentUnchanged" CHECK("failed" <> 'contentUnchanged'),
	CONSTRAINT "assert_signedIn" CHECK("failed" <> 'signedIn')
);
--> statement-breakpoint
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
	`aboutPointhree` text DEFAULT '' NOT NULL,
	`aboutLinkText` text DEFAULT '' NOT NULL,
	`aboutLink` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `abouts_singleton` ON `abouts` (`position`);--> statement-breakpoint
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
CREATE TABLE `service_texts` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`serviceHeading` text DEFAULT '' NOT NULL,
	`servicesubHeading` text DEFAULT '' NOT NULL,
	`serviceLinkText` text DEFAULT '' NOT NULL,
	`servicePageText` text DEFAULT '' NOT NULL
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
	`serviceName` text DEFAULT '' NOT NULL,
	`serviceMore` text DEFAULT '' NOT NULL,
	`serviceResult` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `pricing_packages` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`packageName` text DEFAULT '' NOT NULL,
	`displayName` text DEFAULT '' NOT NULL,
	`packagePrice` text DEFAULT '' NOT NULL,
	`billing` text DEFAULT '' NOT NULL,
	`hidden` text DEFAULT '' NOT NULL,
	`packageButtonText` text DEFAULT '' NOT NULL,
	`packageFor` text DEFAULT '' NOT NULL,
	`packageTerms` text DEFAULT '' NOT NULL,
	`packageReason` text DEFAULT '' NOT NULL,
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
CREATE TABLE `steps` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`stepNumber` text DEFAULT '' NOT NULL,
	`stepTitle` text DEFAULT '' NOT NULL,
	`stepDetails` text DEFAULT '' NOT NULL
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
CREATE TABLE `articles` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`slug` text DEFAULT '' NOT NULL,
	`kind` text DEFAULT '' NOT NULL,
	`summary` text DEFAULT '' NOT NULL,
	`cover` text DEFAULT '' NOT NULL,
	`text` text DEFAULT '' NOT NULL,
	`author` text DEFAULT '' NOT NULL,
	`publishedOn` text DEFAULT '' NOT NULL,
	`revisedOn` text DEFAULT '' NOT NULL,
	`tags` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `articles_slug_unique` ON `articles` (lower("slug"));--> statement-breakpoint
CREATE TABLE `articles_texts` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`articlesHeading` text DEFAULT '' NOT NULL,
	`articlesIntro` text DEFAULT '' NOT NULL,
	`onLanding` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `articles_texts_singleton` ON `articles_texts` (`position`);--> statement-breakpoint
CREATE TABLE `contact_details` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`contactImg` text DEFAULT '' NOT NULL,
	`contactTitle` text DEFAULT '' NOT NULL,
	`contactDetails` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `brands` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`accentColor` text DEFAULT '' NOT NULL,
	`logoDark` text DEFAULT '' NOT NULL,
	`icon` text DEFAULT '' NOT NULL,
	`sharedPicture` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `logos` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`logo` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `logos_singleton` ON `logos` (`position`);--> statement-breakpoint
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
CREATE TABLE `legal_pages` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`path` text DEFAULT '' NOT NULL,
	`text` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `legal_pages_path_unique` ON `legal_pages` (lower("path"));--> statement-breakpoint
CREATE TABLE `search_texts` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`page` text DEFAULT '' NOT NULL,
	`pageTitle` text DEFAULT '' NOT NULL,
	`pageDescription` text DEFAULT '' NOT NULL,
	`pageImage` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `search_texts_page_unique` ON `search_texts` (lower("page"));--> statement-breakpoint
CREATE TABLE `brief_questions` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`question` text DEFAULT '' NOT NULL,
	`help` text DEFAULT '' NOT NULL,
	`kind` text DEFAULT '' NOT NULL,
	`choices` text DEFAULT '' NOT NULL,
	`required` text DEFAULT '' NOT NULL,
	`packages` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `plan_steps` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`details` text DEFAULT '' NOT NULL,
	`dueDays` text DEFAULT '' NOT NULL,
	`approval` text DEFAULT '' NOT NULL,
	`packages` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `media` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`alt` text DEFAULT '' NOT NULL,
	`focus` text DEFAULT '' NOT NULL,
	`path` text DEFAULT '' NOT NULL,
	`type` text DEFAULT '' NOT NULL,
	`width` text DEFAULT '' NOT NULL,
	`height` text DEFAULT '' NOT NULL,
	`bytes` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `business_details` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`legalName` text DEFAULT '' NOT NULL,
	`postalAddress` text DEFAULT '' NOT NULL,
	`phone` text DEFAULT '' NOT NULL,
	`taxNumber` text DEFAULT '' NOT NULL,
	`registration` text DEFAULT '' NOT NULL,
	`billingEmail` text DEFAULT '' NOT NULL,
	`receiptNote` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `business_details_singleton` ON `business_details` (`position`);--> statement-breakpoint
CREATE TABLE `redirects` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`from` text DEFAULT '' NOT NULL,
	`to` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `redirects_from_unique` ON `redirects` (lower("from"));--> statement-breakpoint
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
CREATE INDEX `content_history_removed` ON `content_history` (`at`) WHERE action = 'removed';--> statement-breakpoint
CREATE TABLE `publications` (
	`revision` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL,
	`changedPages` text NOT NULL,
	`readMs` integer,
	`renderMs` integer,
	`writeMs` integer
);
--> statement-breakpoint
CREATE TABLE `release_changes` (
	`_id` text PRIMARY KEY NOT NULL,
	`releaseId` text NOT NULL,
	`section` text NOT NULL,
	`recordId` text NOT NULL,
	`action` text NOT NULL,
	`value` text,
	`base` text,
	`version` integer NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `release_changes_record` ON `release_changes` (`releaseId`,`section`,`recordId`);--> statement-breakpoint
CREATE TABLE `releases` (
	`_id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`version` integer NOT NULL,
	`createdAt` integer NOT NULL,
	`createdBy` text NOT NULL,
	`publishAt` integer,
	`scheduledBy` text,
	`failure` text,
	`publishedAt` integer,
	`revision` integer,
	`publishedBy` text
);
--> statement-breakpoint
CREATE INDEX `releases_open` ON `releases` (`publishAt`) WHERE publishedAt is null;--> statement-breakpoint
CREATE TABLE `drafts` (
	`accountId` text NOT NULL,
	`section` text NOT NULL,
	`recordId` text NOT NULL,
	`draftId` text DEFAULT '' NOT NULL,
	`version` integer,
	`values` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`accountId`, `section`, `recordId`, `draftId`)
);
--> statement-breakpoint
CREATE TABLE `preview_links` (
	`tokenHash` text PRIMARY KEY NOT NULL,
	`releaseId` text NOT NULL,
	`expiresAt` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `preview_links_release` ON `preview_links` (`releaseId`);--> statement-breakpoint
CREATE TABLE `account_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`accountId` text NOT NULL,
	`purpose` text NOT NULL,
	`newEmail` text,
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
	`hasShortPassword` integer DEFAULT false NOT NULL,
	`passwordVersion` integer DEFAULT 1 NOT NULL,
	`googleSubject` text,
	`passkeyHandle` text,
	`name` text DEFAULT '' NOT NULL,
	`company` text DEFAULT '' NOT NULL,
	`phone` text DEFAULT '' NOT NULL,
	`website` text DEFAULT '' NOT NULL,
	`createdAt` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_email_unique` ON `accounts` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_googleSubject_unique` ON `accounts` (`googleSubject`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_passkeyHandle_unique` ON `accounts` (`passkeyHandle`);--> statement-breakpoint
CREATE INDEX `accounts_unconfirmed` ON `accounts` (`emailVerifiedAt`,`createdAt`);--> statement-breakpoint
CREATE TABLE `first_run` (
	`id` integer PRIMARY KEY NOT NULL,
	`doneAt` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`recordId` text NOT NULL,
	`expiresAt` integer NOT NULL,
	FOREIGN KEY (`recordId`) REFERENCES `users`(`_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `invitations_record` ON `invitations` (`recordId`);--> statement-breakpoint
CREATE INDEX `invitations_expires` ON `invitations` (`expiresAt`);--> statement-breakpoint
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
CREATE TABLE `password_changes` (
	`accountId` text NOT NULL,
	`version` integer NOT NULL,
	`reason` text NOT NULL,
	`changedAt` integer NOT NULL,
	PRIMARY KEY(`accountId`, `version`),
	FOREIGN KEY (`accountId`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`accountId` text NOT NULL,
	`madeAt` integer NOT NULL,
	FOREIGN KEY (`accountId`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_account` ON `recovery_codes` (`accountId`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`accountId` text NOT NULL,
	`passwordVersion` integer NOT NULL,
	`createdAt` integer NOT NULL,
	`lastUsedAt` integer NOT NULL,
	`device` text NOT NULL,
	`_id` text NOT NULL,
	`place` text DEFAULT '' NOT NULL,
	`confirmedAt` integer DEFAULT 0 NOT NULL,
	`shown` text DEFAULT 'nothing' NOT NULL,
	FOREIGN KEY (`accountId`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_account` ON `sessions` (`accountId`);--> statement-breakpoint
CREATE INDEX `sessions_created` ON `sessions` (`createdAt`);--> statement-breakpoint
CREATE TABLE `spent_challenges` (
	`id` text PRIMARY KEY NOT NULL,
	`expiresAt` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `spent_challenges_expires` ON `spent_challenges` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `users` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`userEmail` text DEFAULT '' NOT NULL,
	`userRole` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_userEmail_unique` ON `users` (lower("userEmail"));--> statement-breakpoint
CREATE TABLE `audit_events` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`action` text NOT NULL,
	`accountId` text NOT NULL,
	`recordId` text NOT NULL,
	`network` text NOT NULL,
	`details` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_events_at` ON `audit_events` (`at`);--> statement-breakpoint
CREATE TABLE `setting_events` (
	`id` text PRIMARY KEY NOT NULL,
	`setting` text NOT NULL,
	`recordId` text NOT NULL,
	`version` integer NOT NULL,
	`action` text NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL,
	`before` text,
	`after` text
);
--> statement-breakpoint
CREATE INDEX `setting_events_record` ON `setting_events` (`recordId`);--> statement-breakpoint
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
CREATE TABLE `message_replies` (
	`_id` text PRIMARY KEY NOT NULL,
	`messageId` text NOT NULL,
	`side` text DEFAULT 'staff' NOT NULL,
	`accountId` text NOT NULL,
	`text` text NOT NULL,
	`quoted` text DEFAULT '' NOT NULL,
	`at` integer NOT NULL,
	`idempotencyKey` text
);
--> statement-breakpoint
CREATE INDEX `message_replies_message` ON `message_replies` (`messageId`,`_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `message_replies_idempotency` ON `message_replies` (`accountId`,`idempotencyKey`);--> statement-breakpoint
CREATE TABLE `messages` (
	`_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`number` text NOT NULL,
	`subject` text NOT NULL,
	`message` text NOT NULL,
	`messageStatus` text NOT NULL,
	`receivedAt` integer NOT NULL,
	`repliedAt` integer,
	`newReplyAt` integer,
	`source` text,
	`idempotencyKey` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_idempotency` ON `messages` (`idempotencyKey`);--> statement-breakpoint
CREATE INDEX `messages_status` ON `messages` (`messageStatus`,`_id`);--> statement-breakpoint
CREATE INDEX `messages_sender` ON `messages` (lower("email"),`_id`);--> statement-breakpoint
CREATE INDEX `messages_new_reply` ON `messages` (`_id`) WHERE "messages"."newReplyAt" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `reply_files` (
	`_id` text PRIMARY KEY NOT NULL,
	`messageId` text NOT NULL,
	`replyId` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `reply_files_message` ON `reply_files` (`messageId`,`_id`);--> statement-breakpoint
CREATE TABLE `saved_answers` (
	`_id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`text` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `subscribers` (
	`_id` text PRIMARY KEY NOT NULL,
	`subemail` text NOT NULL,
	`askedAt` integer DEFAULT 0 NOT NULL,
	`confirmedAt` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_email` ON `subscribers` (lower("subemail"));--> statement-breakpoint
CREATE INDEX `subscribers_waiting` ON `subscribers` (`askedAt`) WHERE "subscribers"."confirmedAt" IS NULL;--> statement-breakpoint
CREATE TABLE `attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`windowEndsAt` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `attempts_ends` ON `attempts` (`windowEndsAt`);--> statement-breakpoint
CREATE TABLE `mails` (
	`_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`recipient` text NOT NULL,
	`accountId` text,
	`about` text,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`number` integer,
	`createdAt` integer NOT NULL,
	`dueAt` integer,
	`tries` integer DEFAULT 0 NOT NULL,
	`failure` text,
	`topic` text
);
--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`dueAt`);--> statement-breakpoint
CREATE INDEX `mails_tries` ON `mails` (`tries`);--> statement-breakpoint
CREATE INDEX `mails_account` ON `mails` (`accountId`);--> statement-breakpoint
CREATE INDEX `mails_topic` ON `mails` (`topic`) WHERE "mails"."topic" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `alerts` (
	`key` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `job_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`ranAt` integer NOT NULL,
	`succeededAt` integer,
	`failure` text
);
--> statement-breakpoint
CREATE TABLE `coupons` (
	`_id` text PRIMARY KEY NOT NULL,
	`code` text NOT NULL,
	`percentOff` integer,
	`amountOffCents` integer,
	`packages` text NOT NULL,
	`lastDay` text NOT NULL,
	`mostUses` integer,
	`oncePerCustomer` integer NOT NULL,
	`months` integer DEFAULT 1,
	`createdAt` integer NOT NULL,
	`endedAt` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `coupons_code_unique` ON `coupons` (`code`);--> statement-breakpoint
CREATE TABLE `customer_counts` (
	`scope` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `customers` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`_id` text NOT NULL,
	`hasAccount` integer NOT NULL,
	`firstOrderId` text NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`company` text DEFAULT '' NOT NULL,
	`phone` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers__id_unique` ON `customers` (`_id`);--> statement-breakpoint
CREATE INDEX `customers_sequence` ON `customers` (`sequence`);--> statement-breakpoint
CREATE INDEX `customers_email` ON `customers` (`email`);--> statement-breakpoint
CREATE TABLE `order_digests` (
	`until` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
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
	`refundedCents` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`scope`, `day`, `paymentStatus`, `orderStatus`)
);
--> statement-breakpoint
CREATE TABLE `orders` (
	`_id` text PRIMARY KEY NOT NULL,
	`number` integer DEFAULT 0 NOT NULL,
	`accountId` text NOT NULL,
	`packageName` text NOT NULL,
	`displayName` text DEFAULT '' NOT NULL,
	`billing` text DEFAULT 'once' NOT NULL,
	`subscriptionId` text,
	`invoiceId` text,
	`periodStart` integer,
	`periodEnd` integer,
	`packagePrice` text NOT NULL,
	`priceCents` integer NOT NULL,
	`couponCode` text DEFAULT '' NOT NULL,
	`discountCents` integer DEFAULT 0 NOT NULL,
	`packagePoints` text NOT NULL,
	`customerEmail` text NOT NULL,
	`customerName` text NOT NULL,
	`customerAddress` text NOT NULL,
	`customerCountry` text NOT NULL,
	`customerCompany` text DEFAULT '' NOT NULL,
	`customerTaxNumber` text DEFAULT '' NOT NULL,
	`receiptCopyEmail` text DEFAULT '' NOT NULL,
	`customerPhone` text DEFAULT '' NOT NULL,
	`paymentStatus` text NOT NULL,
	`orderStatus` text NOT NULL,
	`orderDay` text NOT NULL,
	`paymentMethod` text DEFAULT 'PayPal' NOT NULL,
	`wallet` text DEFAULT '' NOT NULL,
	`transactionId` text DEFAULT '' NOT NULL,
	`refundedCents` integer DEFAULT 0 NOT NULL,
	`paymentIntentId` text DEFAULT '' NOT NULL,
	`remindedAt` integer,
	`idempotencyKey` text,
	`source` text,
	`sourceName` text DEFAULT 'unknown' NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_number` ON `orders` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_idempotency` ON `orders` (`accountId`,`idempotencyKey`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_invoice` ON `orders` (`invoiceId`);--> statement-breakpoint
CREATE INDEX `orders_subscription` ON `orders` (`subscriptionId`,`_id`) WHERE "orders"."subscriptionId" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `orders_account` ON `orders` (`accountId`,`_id`,`paymentStatus`,`orderStatus`);--> statement-breakpoint
CREATE INDEX `orders_payment` ON `orders` (`paymentStatus`,`_id`);--> statement-breakpoint
CREATE INDEX `orders_status` ON `orders` (`orderStatus`,`_id`);--> statement-breakpoint
CREATE INDEX `orders_statuses` ON `orders` (`paymentStatus`,`orderStatus`,`_id`);--> statement-breakpoint
CREATE INDEX `orders_unclaimed` ON `orders` (`customerEmail`,`accountId`,`_id`) WHERE "orders"."accountId" = '' AND "orders"."customerEmail" <> '';--> statement-breakpoint
CREATE INDEX `orders_to_remind` ON `orders` (`_id`) WHERE "orders"."paymentStatus" = 'UnPaid' AND "orders"."remindedAt" IS NULL;--> statement-breakpoint
CREATE INDEX `orders_coupon` ON `orders` (`couponCode`,`paymentStatus`) WHERE "orders"."couponCode" <> '';--> statement-breakpoint
CREATE INDEX `orders_day` ON `orders` (`orderDay`,`_id`);--> statement-breakpoint
CREATE INDEX `orders_price` ON `orders` (`priceCents`,`_id`,`paymentStatus`,`orderStatus`);--> statement-breakpoint
CREATE INDEX `orders_customer` ON `orders` ("customerName" COLLATE NOCASE,`_id`,`paymentStatus`,`orderStatus`);--> statement-breakpoint
CREATE TABLE `source_totals` (
	`source` text PRIMARY KEY NOT NULL,
	`messages` integer NOT NULL,
	`orders` integer NOT NULL,
	`paidOrders` integer NOT NULL,
	`cents` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`_id` text PRIMARY KEY NOT NULL,
	`firstOrderId` text NOT NULL,
	`packageName` text NOT NULL,
	`stripeId` text,
	`customerId` text DEFAULT '' NOT NULL,
	`status` text DEFAULT 'new' NOT NULL,
	`priceCents` integer NOT NULL,
	`newPriceCents` integer,
	`newPriceFrom` integer,
	`discountCents` integer DEFAULT 0 NOT NULL,
	`discountUntil` integer,
	`periodEnd` integer,
	`isEnding` integer DEFAULT false NOT NULL,
	`resumesAt` integer,
	`card` text DEFAULT '' NOT NULL,
	`dueCents` integer DEFAULT 0 NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`failedAt` integer,
	`nextTryAt` integer,
	`invoiceUrl` text DEFAULT '' NOT NULL,
	`startedAt` integer,
	`endedAt` integer,
	`checkAt` integer,
	`syncedAt` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_firstOrderId_unique` ON `subscriptions` (`firstOrderId`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_stripeId_unique` ON `subscriptions` (`stripeId`);--> statement-breakpoint
CREATE INDEX `subscriptions_customer` ON `subscriptions` (`customerId`);--> statement-breakpoint
CREATE INDEX `subscriptions_check` ON `subscriptions` (`checkAt`);--> statement-breakpoint
CREATE INDEX `subscriptions_ended` ON `subscriptions` (`endedAt`,`_id`);--> statement-breakpoint
CREATE TABLE `order_briefs` (
	`orderId` text PRIMARY KEY NOT NULL,
	`accountId` text DEFAULT '' NOT NULL,
	`answers` text DEFAULT '{}' NOT NULL,
	`asked` text,
	`sentAt` integer,
	`awaitedSince` integer,
	`remindedAt` integer,
	`isOver` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `order_briefs_account` ON `order_briefs` (`accountId`);--> statement-breakpoint
CREATE INDEX `order_briefs_awaited` ON `order_briefs` (`awaitedSince`) WHERE "order_briefs"."sentAt" IS NULL AND "order_briefs"."isOver" = 0;--> statement-breakpoint
CREATE TABLE `order_steps` (
	`_id` text PRIMARY KEY NOT NULL,
	`orderId` text NOT NULL,
	`position` integer NOT NULL,
	`title` text NOT NULL,
	`details` text NOT NULL,
	`dueDay` text NOT NULL,
	`plannedDay` text DEFAULT '' NOT NULL,
	`wantsApproval` integer NOT NULL,
	`state` text NOT NULL,
	`note` text NOT NULL,
	`request` text NOT NULL,
	`requestedAt` integer,
	`messageId` text DEFAULT '' NOT NULL,
	`doneAt` integer,
	`doneBy` text NOT NULL,
	`isOver` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `order_steps_order` ON `order_steps` (`orderId`,`position`);--> statement-breakpoint
CREATE INDEX `order_steps_due` ON `order_steps` (`dueDay`) WHERE "order_steps"."state" <> 'done' AND "order_steps"."isOver" = 0;--> statement-breakpoint
CREATE INDEX `order_steps_change` ON `order_steps` (`requestedAt`) WHERE "order_steps"."request" <> '' AND "order_steps"."isOver" = 0;--> statement-breakpoint
CREATE TABLE `conversation_messages` (
	`_id` text NOT NULL,
	`orderId` text NOT NULL,
	`sequence` integer NOT NULL,
	`side` text NOT NULL,
	`accountId` text NOT NULL,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`quoted` text DEFAULT '' NOT NULL,
	`at` integer NOT NULL,
	`idempotencyKey` text,
	PRIMARY KEY(`orderId`, `sequence`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `conversation_messages_id` ON `conversation_messages` (`_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `conversation_messages_idempotency` ON `conversation_messages` (`accountId`,`idempotencyKey`);--> statement-breakpoint
CREATE TABLE `conversations` (
	`orderId` text PRIMARY KEY NOT NULL,
	`fromCustomer` integer DEFAULT 0 NOT NULL,
	`fromStaff` integer DEFAULT 0 NOT NULL,
	`readByCustomer` integer DEFAULT 0 NOT NULL,
	`readByStaff` integer DEFAULT 0 NOT NULL,
	`lastAt` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `conversations_unread` ON `conversations` (`lastAt`) WHERE "conversations"."fromCustomer" > "conversations"."readByStaff";--> statement-breakpoint
CREATE TABLE `order_files` (
	`_id` text PRIMARY KEY NOT NULL,
	`orderId` text NOT NULL,
	`accountId` text NOT NULL,
	`messageId` text DEFAULT '' NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`bytes` integer NOT NULL,
	`at` integer NOT NULL,
	`idempotencyKey` text
);
--> statement-breakpoint
CREATE INDEX `order_files_order` ON `order_files` (`orderId`);--> statement-breakpoint
CREATE INDEX `order_files_unsent` ON `order_files` (`at`) WHERE "order_files"."messageId" = '';--> statement-breakpoint
CREATE UNIQUE INDEX `order_files_idempotency` ON `order_files` (`accountId`,`idempotencyKey`);--> statement-breakpoint
CREATE TABLE `assignments` (
	`kind` text NOT NULL,
	`recordId` text NOT NULL,
	`accountId` text NOT NULL,
	PRIMARY KEY(`kind`, `recordId`)
);
--> statement-breakpoint
CREATE INDEX `assignments_account` ON `assignments` (`accountId`,`kind`,`recordId`);--> statement-breakpoint
CREATE TABLE `staff_notes` (
	`_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`recordId` text NOT NULL,
	`accountId` text NOT NULL,
	`text` text NOT NULL,
	`at` integer NOT NULL,
	`idempotencyKey` text
);
--> statement-breakpoint
CREATE INDEX `staff_notes_record` ON `staff_notes` (`kind`,`recordId`,`_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `staff_notes_idempotency` ON `staff_notes` (`accountId`,`idempotencyKey`);--> statement-breakpoint
CREATE TABLE `disputes` (
	`_id` text PRIMARY KEY NOT NULL,
	`disputeId` text NOT NULL,
	`orderId` text NOT NULL,
	`paymentIntentId` text NOT NULL,
	`amountCents` integer NOT NULL,
	`reason` text NOT NULL,
	`status` text NOT NULL,
	`evidenceDueAt` integer,
	`openedAt` integer NOT NULL,
	`closedAt` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `disputes_disputeId_unique` ON `disputes` (`disputeId`);--> statement-breakpoint
CREATE INDEX `disputes_open` ON `disputes` (`openedAt`) WHERE "disputes"."closedAt" IS NULL;--> statement-breakpoint
CREATE TABLE `ledger` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`at` integer NOT NULL,
	`orderId` text NOT NULL,
	`kind` text NOT NULL,
	`amountCents` integer NOT NULL,
	`stripeId` text NOT NULL,
	`balanceCents` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_key_unique` ON `ledger` (`key`);--> statement-breakpoint
CREATE INDEX `ledger_order` ON `ledger` (`orderId`);--> statement-breakpoint
CREATE INDEX `ledger_at` ON `ledger` (`at`);--> statement-breakpoint
CREATE TABLE `payment_intents` (
	`_id` text PRIMARY KEY NOT NULL,
	`paymentIntentId` text NOT NULL,
	`orderId` text NOT NULL,
	`startedAt` integer NOT NULL,
	`checkAt` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`problem` text,
	`seenBy` text,
	`seenAt` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_intents_paymentIntentId_unique` ON `payment_intents` (`paymentIntentId`);--> statement-breakpoint
CREATE INDEX `payment_intents_check` ON `payment_intents` (`checkAt`);--> statement-breakpoint
CREATE INDEX `payment_intents_unseen` ON `payment_intents` (`startedAt`) WHERE "payment_intents"."problem" IS NOT NULL AND "payment_intents"."seenAt" IS NULL;--> statement-breakpoint
CREATE TABLE `payments` (
	`_id` text PRIMARY KEY NOT NULL,
	`orderId` text NOT NULL,
	`method` text NOT NULL,
	`paymentIntentId` text,
	`paidWith` text DEFAULT '' NOT NULL,
	`receiptEmail` text DEFAULT '' NOT NULL,
	`amountCents` integer NOT NULL,
	`currency` text NOT NULL,
	`outcome` text NOT NULL,
	`refusal` text,
	`at` integer NOT NULL,
	`warnedAt` integer,
	`seenBy` text,
	`seenAt` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_paymentIntentId_unique` ON `payments` (`paymentIntentId`);--> statement-breakpoint
CREATE INDEX `payments_warned` ON `payments` (`warnedAt`) WHERE "payments"."warnedAt" IS NOT NULL AND "payments"."seenAt" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `payments_settled` ON `payments` (`orderId`) WHERE "payments"."outcome" = 'settled';--> statement-breakpoint
CREATE INDEX `payments_refund_due` ON `payments` (`at`) WHERE "payments"."outcome" = 'refundDue';--> statement-breakpoint
CREATE INDEX `payments_unseen` ON `payments` (`at`) WHERE "payments"."refusal" IS NOT NULL AND "payments"."seenAt" IS NULL;--> statement-breakpoint
CREATE TABLE `refunds` (
	`_id` text PRIMARY KEY NOT NULL,
	`orderId` text NOT NULL,
	`paymentId` text NOT NULL,
	`refundId` text,
	`amountCents` integer NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`note` text DEFAULT '' NOT NULL,
	`failure` text DEFAULT '' NOT NULL,
	`accountId` text NOT NULL,
	`idempotencyKey` text,
	`at` integer NOT NULL,
	`changedAt` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`checkAt` integer,
	`seenBy` text,
	`seenAt` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_refundId_unique` ON `refunds` (`refundId`);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_idempotency` ON `refunds` (`orderId`,`idempotencyKey`);--> statement-breakpoint
CREATE INDEX `refunds_payment` ON `refunds` (`paymentId`);--> statement-breakpoint
CREATE INDEX `refunds_check` ON `refunds` (`checkAt`);--> statement-breakpoint
CREATE INDEX `refunds_unseen` ON `refunds` (`changedAt`) WHERE "refunds"."status" IN ('failed', 'canceled') AND "refunds"."seenAt" IS NULL;--> statement-breakpoint
CREATE TABLE `stripe_keys` (
	`_id` text PRIMARY KEY NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`stripeKey` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stripe_keys_singleton` ON `stripe_keys` (`position`);--> statement-breakpoint
CREATE TABLE `page_sets` (
	`buildId` text PRIMARY KEY NOT NULL,
	`revision` integer NOT NULL,
	`renderedAt` integer NOT NULL,
	`copiedAt` integer
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
