CREATE TABLE `job_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`ranAt` integer NOT NULL,
	`succeededAt` integer,
	`failure` text
);
