CREATE TABLE `preview_links` (
	`tokenHash` text PRIMARY KEY NOT NULL,
	`releaseId` text NOT NULL,
	`expiresAt` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `preview_links_release` ON `preview_links` (`releaseId`);