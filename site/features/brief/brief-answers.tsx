/** The questions and answers of a brief, read-only. */
import { webAddressOf } from '#contract/plans.ts';
import type { Brief, BriefQuestion } from '#contract/plans.calls.ts';
import { TextLink } from '#site/ui/text-link.tsx';
import { stack } from '#site/ui/layout.ts';

export function BriefAnswers({ brief: { questions } }: { readonly brief: Brief }) {
  return (
    <dl className={stack(4)}>
      {questions.map((question) => (
        <div key={question._id}>
          <dt className="strong">{question.question}</dt>
          <dd className="multiline">
            <Answer {...question} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Answer({ kind, answer }: BriefQuestion) {
  const address = kind === 'link' ? webAddressOf(answer) : undefined;
  if (answer.trim() === '') return <span className="muted">Not answered</span>;
  return address === undefined ? (
    <span dir="auto">{answer}</span>
  ) : (
    <TextLink href={address} target="_blank" rel="noreferrer nofollow">
      {answer} <span className="visually-hidden">(new tab)</span>
    </TextLink>
  );
}
