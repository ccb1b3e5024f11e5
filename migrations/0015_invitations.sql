CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`recordId` text NOT NULL,
	`expiresAt` integer NOT NULL,
	FOREIGN KEY (`recordId`) REFERENCES `users`(`_id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `invitations_record` ON `invitations` (`recordId`);--> statement-breakpoint
CREATE INDEX `invitations_expires` ON `invitations` (`expiresAt`);