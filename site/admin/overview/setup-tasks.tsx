/** The remaining setup tasks: a link for each, and why it matters. */
import type { SetupTask } from '#contract/attention.calls.ts';
import { linkToHome } from '#contract/all-screens.ts';
import { linkTo } from '#contract/screens.ts';
import { TextLink } from '#site/ui/text-link.tsx';
import { stack } from '#site/ui/layout.ts';

const texts: Readonly<
  Record<SetupTask, { readonly href: string; readonly label: string; readonly why: string }>
> = {
  paymentKey: {
    href: linkTo('addPaymentKey'),
    label: 'Add your payment key',
    why: 'Until then, customers can order, but they cannot pay by card.',
  },
  brand: {
    href: linkToHome('brand'),
    label: 'Name your business',
    why: 'Until then, pages and emails show a placeholder.',
  },
  businessDetails: {
    href: linkToHome('businessDetails'),
    label: 'Add your business details',
    why: 'Without them, receipts do not say who the seller is.',
  },
  businessPages: {
    href: linkToHome('legalPage'),
    label: 'Replace the example texts',
    why: 'Visitors see them on the privacy, terms or refunds page.',
  },
};

export default function SetupTasks({ tasks }: { readonly tasks: readonly SetupTask[] }) {
  return (
    <ul className={stack(1)}>
      {tasks.map((task) => (
        <li key={task}>
          <TextLink href={texts[task].href}>{texts[task].label}</TextLink>. {texts[task].why}
        </li>
      ))}
    </ul>
  );
}
