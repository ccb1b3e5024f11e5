/** The articles of the demo: three guides and two case studies of the made-up firm, which say that they are examples. */
import type { Input } from '#contract/section.ts';
import type { Sections } from '#contract/sections/index.ts';

const note =
  '> **This is an example.** {name}, the agencies in this article and their figures are made up for this demonstration.';

export const demoArticles: readonly Input<Sections['article']>[] = [
  {
    title: 'What belongs on a loan page, and what does not',
    slug: 'what-belongs-on-a-loan-page',
    kind: 'guide',
    summary:
      'A borrower decides within a minute whether a loan page is for them. These seven parts help them decide, in the order in which they ask.',
    cover: '/images/page-for-each-loan.svg',
    author: 'Imani Brooks',
    publishedOn: '2026-06-16',
    tags: 'Loan pages, Compliance',
    text: `Most lenders have one page that lists every loan they make. It answers nobody’s question well. A borrower who types “bridge loan, bad credit, Joliet” wants to know one thing: is this loan for someone like me?

A page for each loan can answer that. Here is what we put on one, and in which order.

## The seven parts

1. **Who the loan is for.** One sentence, in the words that borrowers use. “For homeowners who have found the next house before they have sold the last one.”
2. **What it costs, by example.** One realistic loan with its amount, rate, term and monthly payment. An example is easier to check than a range, and easier to believe.
3. **What you ask for.** The papers, the credit score, the equity. If the answer is “it depends,” say on what.
4. **How long it takes.** From the first call to the money, with the step that takes longest named.
5. **Where you lend.** Towns and counties, not “the greater area.”
6. **Who answers.** The loan officer’s name, a direct number and the hours.
7. **What the law asks you to say.** License numbers and disclosures, next to the claim that they belong to.

## What we leave out

- A history of the firm. It belongs on a page of its own.
- Words such as “solutions” and “hassle-free.” Nobody searches for them, and nobody believes them.
- A rate without a date. A rate that was true in spring does harm in fall.

## Let the officer talk

The best sentences on a loan page are rarely written. They are said. We spend an hour on the phone with the officer who makes the loan, and we ask three questions:

- What do people ask you first?
- What do they get wrong?
- When do you tell somebody not to take this loan?

The answer to the last one is often the most useful paragraph on the page. It saves both sides a call, and readers notice honesty.

## Make the draft easy to approve

A compliance officer does not want to read prose. They want to see each claim and where it comes from. So every draft has a table like this one:

| Claim on the page | Source | Date |
| --- | --- | --- |
| “Close in about three weeks” | Your last 20 closings | March 2026 |
| “Up to 80 percent of the home’s value” | Underwriting guide, section 4 | January 2026 |
| “Licensed in Illinois” | NMLS Consumer Access | March 2026 |

A draft that arrives with its sources comes back with fewer questions. Last year, 91 percent of our pages passed at the first reading.

## Start with one

You do not need eight pages at once. Choose the loan that you want more of, write its page, and [count what it brings](/articles/how-to-count-applications-from-search) before you write the next one.

${note}`,
  },
  {
    title: 'How to count applications that began with a search',
    slug: 'how-to-count-applications-from-search',
    kind: 'guide',
    summary:
      'Clicks and positions do not pay salaries. Here is how a small agency can trace calls, forms and applications to the search that began them.',
    cover: '/images/open-figures.svg',
    author: 'Ruth Okafor',
    publishedOn: '2026-08-04',
    tags: 'Counting, Reports',
    text: `A report full of clicks looks busy and says little. An agency can have more visitors than ever and fewer loans. So we count the other end: the applications, and the searches that led to them.

You can do this yourself, with the phone and the forms that you have.

## Decide what counts

Write down what a good contact is before you look at any figures. For most agencies it is one of three:

- a call that lasts longer than a minute,
- a form that names a loan and a phone number,
- an application that somebody started.

A visit is not on the list. Neither is a newsletter address.

## Trace each one to its page

**Forms** are easy. Keep the page on which the visit began, and send it along with the form. No cookie is needed for that.

**Calls** need one question. Ask every caller how they found you, and give the person who answers the phone four boxes to tick: search, a friend, an ad, don’t know. After two weeks it takes no effort.

**Applications** come last. Once a month, sit down with the list of new applications and match each one to a call or a form. It takes an hour for fifty.

## Leave “unknown” on the page

Some contacts cannot be traced. Do not spread them over the others. Report them as unknown, and watch that number: when it grows, something in the counting is broken.

## Read the table across, not down

| | Calls | Forms | Applications |
| --- | ---: | ---: | ---: |
| Refinance page | 9 | 6 | 5 |
| Purchase page | 14 | 3 | 1 |
| Unknown | 7 | 2 | 2 |

The purchase page in this example gets more calls and fewer applications. That is a question about the page, not about search: what do those callers expect that they do not find?

## Give new pages time

Fixes and listings often show within two to eight weeks. New pages take three to six months. If you judge a page after 30 days, you judge how quickly search engines read it, and little else.

A page that has brought nothing after half a year has earned a second look. Change it, combine it with another one, or take it down.

${note}`,
  },
  {
    title: 'Local listings: the dull work that wins your own town',
    slug: 'local-listings-for-lenders',
    kind: 'guide',
    summary:
      'Most loans are made within twenty miles of the office. Correct listings decide who is shown there, and they take a week, not a budget.',
    cover: '/images/map-listing.svg',
    author: 'Peter Lindqvist',
    publishedOn: '2026-09-22',
    tags: 'Local search, Listings',
    text: `When somebody searches for a lender nearby, a map comes first. Whether you are on it depends on dull things: a name, an address, opening hours, and whether they read the same wherever they appear.

I correct listings for a living. This is how I go about it.

## Find every listing that you have

Search for your firm’s name, then for every phone number and every address that you have ever had. An agency that has moved once usually has a dozen listings at the old address. Somebody is still driving there.

Put them all in one table: where, name, address, phone, hours, license number, and who can change it.

## Choose one spelling

Decide how your name and address are written, down to “Street” or “St.” Then use that everywhere. It matters less which one you choose than that you choose.

For a lender, three more things belong in every listing:

1. The license number, where there is a field for it.
2. The kind of loans, in the words of the directory.
3. The hours in which somebody answers, not the hours on the door.

## Begin with the ones that others copy

Small directories copy large ones. Correct these first, in this order:

- your Google Business Profile,
- Apple and Bing,
- the license register,
- the chamber of commerce and the county directory.

Wait two weeks. Some of the others will correct themselves.

## Remove what you cannot correct

A duplicate does more harm than a missing listing. Ask for its removal, and note the day. Where a directory wants proof by phone or mail, tell the person at your front desk before it arrives.

## Look again twice a year

Listings decay. Somebody suggests new hours, a directory is sold, an old number comes back. Put two dates in your calendar, with one hour each. That is all it takes once the first round is done.

When the listings are right, [the pages behind them](/articles/what-belongs-on-a-loan-page) are worth the work.

${note}`,
  },
  {
    title: 'Harbor Street Mortgage: the page that search engines could not see',
    slug: 'harbor-street-mortgage',
    kind: 'case study',
    summary:
      'One office in Joliet ordered Standard in March. A refinance page that search engines could not read turned out to be the largest find.',
    cover: '/images/search-result.svg',
    author: 'Daniel Reyes',
    publishedOn: '2026-07-14',
    tags: 'Loan pages, Technical fixes',
    text: `Harbor Street Mortgage has one office in Joliet. Carla Mendes, who owns it, ordered our Standard package on March 3. At the time, search brought her seven applications a month.

## What we found

The site review listed fourteen findings. Thirteen were ordinary: large pictures, two forms that lost what was typed, old addresses that led nowhere.

One was not. The refinance page carried a line that told search engines to stay away. It had come with a redesign and was meant for the test site. For a year and a half, the most useful page on the site had been invisible.

## What we did

| When | What |
| --- | --- |
| March 3 | Ordered and paid, $899 |
| March 6 | Site review with fourteen findings |
| March 10 | An hour with the officer who writes most bridge loans |
| March 17 | Four drafts to read; one came back with a note on its rate example |
| March 24 | Four pages live, nine fixes made, twenty listings corrected |
| April 2 | The report |

## What it brought

In the 30 days of the order, **eleven applications** began with a search. That is four more than in the month before. Most of them came through the old refinance page, which search engines could read again.

The four new pages had brought nothing yet. The report said so on its second page. New pages need three to six months, and nine days is not enough to judge one.

## Three months later

Carla counts for herself now, with [the method that we describe here](/articles/how-to-count-applications-from-search). Three months on, her refinance page brings in two applications a week, and she can see which ones.

> They asked my loan officers better questions than most borrowers do.
>
> Carla Mendes, owner, Harbor Street Mortgage

## What others can take from it

Before you write anything new, check that what you have can be read. Search for the first sentence of each important page, in quotation marks. If the page does not appear, find out why first.

${note}`,
  },
  {
    title: 'Bell County Auto Loans: a report that named its own failure',
    slug: 'bell-county-auto-loans',
    kind: 'case study',
    summary:
      'Two new pages, and one brought nobody. The report said why, and the customer ordered again the same day.',
    cover: '/images/report.svg',
    author: 'Ruth Okafor',
    publishedOn: '2026-10-20',
    tags: 'Reports, Loan pages',
    text: `Marcus Bell runs Bell County Auto Loans, with one office. He ordered our Basic package to see how we work: two loan pages, ten listings, a site review with a list of fixes.

## Two pages, two results

The first page was about loans for used pickup trucks. People in the county search for that, and nobody nearby had a page for it. Within the 30 days search engines showed it, and the first visitors came. Calls and applications take longer: three to six months for most new pages.

The second page was about refinancing a car loan. Search engines could read it as well, but it had no visitors at all.

## Why the second page failed

More time would not have helped it. We had written it for the words that officers use. The interview was full of “rate reduction,” and so was the page. Borrowers do not search for that. They type “lower my car payment.”

The report said so in two sentences, with the searches next to them. It also said what we would change: the title, the first paragraph, and the example.

## What happened next

Marcus ordered the next package the same day. He told us why:

> The first report said that one of their own pages had not worked, and why. I have never had that from an agency before.
>
> Marcus Bell, director, Bell County Auto Loans

## What we changed about our work

Since then, every interview ends with one more question: how would your last three customers have put this? We write their words down, and we search for them before we write a title. You can read about the other questions in [our guide to loan pages](/articles/what-belongs-on-a-loan-page).

${note}`,
  },
];
