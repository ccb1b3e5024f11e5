-- The history of the content and the publications name accounts by their id, so that no email outlives its account
-- (docs/decisions/people.md). Whose account is gone is named as screens do; the set-up stays without a name.
DROP TRIGGER `content_history_keeps_values`;--> statement-breakpoint
DROP TRIGGER `publications_keeps_values`;--> statement-breakpoint
UPDATE `content_history` SET `by` = coalesce((SELECT `id` FROM `accounts` WHERE `email` = `content_history`.`by`), 'a deleted account') WHERE `by` <> '';--> statement-breakpoint
UPDATE `publications` SET `by` = coalesce((SELECT `id` FROM `accounts` WHERE `email` = `publications`.`by`), 'a deleted account') WHERE `by` <> '';--> statement-breakpoint
CREATE TRIGGER `content_history_keeps_values` BEFORE UPDATE ON `content_history`
BEGIN SELECT raise(ABORT, 'The history of the content keeps its values.'); END;--> statement-breakpoint
CREATE TRIGGER `publications_keeps_values` BEFORE UPDATE ON `publications`
WHEN (NEW.`revision`, NEW.`at`, NEW.`by`, NEW.`changedPages`, NEW.`readMs`, NEW.`renderMs`)
	IS NOT (OLD.`revision`, OLD.`at`, OLD.`by`, OLD.`changedPages`, OLD.`readMs`, OLD.`renderMs`)
BEGIN SELECT raise(ABORT, 'The list of publications keeps all but how long a write took.'); END;
