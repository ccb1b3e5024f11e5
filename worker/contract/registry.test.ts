import { describe, expect, test } from 'vitest';
import { allCalls } from './all-calls.ts';
import { newId } from './ids.ts';
import { allScreens, findScreen } from './all-screens.ts';
import { alertFor } from './section.ts';
import { sectionNamed, sectionNames } from './sections/index.ts';

/** Every call in the specification, with its spelling. */
const specifiedCalls = `
GET /about · POST /add-about · GET /about-us/:id · PUT /update-about/:id
GET /videos · POST /add-video · GET /videos/:id · PUT /update-videos/:id
GET /videos-items · POST /add-video-item · GET /videos-items/:id · PUT /videos-items/:id
GET /service · POST /add-Service · GET /service/:id · PUT /service/:id
GET /service-items · POST /add-service-item · GET /service-item/:id · PUT /service-item/:id
GET /steps · POST /add-step · GET /step-item/:id · PUT /step-item/:id
GET /worksec · POST /add-worksec · GET /worksec/:id · PUT /update-worksec/:id
GET /logo · POST /add-logo · GET /logo/:id · PUT /logo/:id
GET /contacts · POST /add-contact · GET /contacts/:id · PUT /contacts/:id
GET /banner · POST /add-banner · GET /banner/:id · PUT /update-banner/:id
GET /footer-about · POST /add-footer-about · GET /footer-about/:id · PUT /footer-about/:id
GET /footer-address · POST /add-footer-address · GET /footer-address/:id · PUT /footer-address/:id
GET /footer-social · POST /add-footer-social · GET /footer-social/:id · PUT /footer-social/:id
GET /copyrights · POST /add-footer-copyright · GET /copyrights/:id · PUT /copyrights/:id
GET /stripe-keys · POST /add-stripe-key · GET /stripe-key/:id · PUT /stripe-key/:id
GET /counters · POST /add-counter · GET /counters/:id · PUT /update-counters/:id
GET /actions · POST /add-action · GET /actions/:id · PUT /update-actions/:id
GET /pricings · GET /pricing/:id · PUT /pricing/:id
GET /users · POST /add-user · GET /users/:id · PUT /upadete-users/:id
GET /faq · POST /add-faq · GET /faq/:id · PUT /faq/:id
GET /faq-items · POST /add-faq-item · GET /faq-item/:id · PUT /faq-item/:id
GET /testimonialtext · POST /add-testimonial-text · GET /testimonialtext/:id · PUT /testimonialtext/:id
GET /testimonials · POST /add-testimonial · GET /testimonial/:id · PUT /testimonial/:id
GET /featurestext · POST /add-feature-text · GET /featurestext/:id · PUT /featurestext/:id
GET /featureitems · POST /add-feature-Item · GET /featureitems/:id · PUT /update-featureitems/:id
GET /teamstext · POST /add-team-text · GET /teamstext/:id · PUT /teamstext/:id
GET /teamitems · POST /add-team-Item · GET /teamitems/:id · PUT /update-teamitems/:id
GET /experiences · POST /add-experience · GET /experiences/:id · PUT /update-experiences/:id
POST /add-item · GET /items
GET /subscribers · POST /add-subscriber
POST /add-message · GET /messages · GET /message/:id · PUT /message/:id
POST /new-order · GET /orders · GET /order/:id · PUT /order/:id · PUT /order-status/:id · PUT /order-cancelled/:id
POST /create-payment-intent
`
  .split(/[·\n]/)
  .map((line) => line.trim())
  .filter((line) => line !== '');

/** Every route in the specification. */
const specifiedRoutes = `
/ /thanks /login /register /reset /pricing/ /service/ /contact /contact-us
/order-now/:id /dashboard /my-order /pending-order /pay-now/:id /order-cancelled/:id
/admin /setting /total-orders /admin/payment-status/:id /all-messages/ /view/:id /all-subscriber/
/edit-banner /banner/:id /add-logo /edit-logo/:id /edit-about /:id
/edit-service /servicetext-edit/:id /main-service-edit/:id /service-edit/:id
/edit-counter /counters/:id /edit-video /videotext-edit/:id /video/:id
/update-calltoaction /edit-call/:id /add-pricing/ /package-edit/:id
/edit-faq /faqtext-edit/:id /faq-edit/:id
/edit-testimonial/ /testimonialtext-edit/:id /edit-testimonial/:id/
/edit-services-features/ /featurestext-edit/:id /edit-feature-items/:id/
/edit-team-text/ /team-text-edit/:id/ /edit-team-items/:id/
/edit-experience/ /edit-experience/:id /edit-work /step-section /edit-work/:id /edit-step/:id
/add-contact/ /edit-contact-page/:id
/add-about-footer/ /edit-about-footer/:id /add-address-footer/ /edit-address-footer/:id
/add-social-footer/ /edit-social-footer/:id /add-copyright /edit-copyright/:id
/stripe-key/:id /add-paypal-Email /add-user /admin-user/:id /add-item
`
  .split(/\s+/)
  .filter((route) => route !== '');

const named = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

describe('The registry', () => {
  test('has every call of the specification exactly once', () => {
    const claimed = allCalls.map(named);
    for (const call of specifiedCalls)
      expect(
        claimed.filter((other) => other === call),
        call,
      ).toHaveLength(1);
  });

  test('gives every call its own method and path', () => {
    const shapes = allCalls.map(named);
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  test('has every route of the specification exactly once, with or without a trailing slash', () => {
    const id = newId();
    for (const route of specifiedRoutes) {
      expect(
        allScreens.filter(({ pattern }) => pattern === route),
        route,
      ).toHaveLength(1);
      const path = route.replace(':id', id);
      expect(findScreen(path)?.screen.pattern, path).toBe(route);
      expect(findScreen(path.endsWith('/') ? path.slice(0, -1) || '/' : `${path}/`)?.screen.pattern).toBe(
        route,
      );
    }
  });

  test('shows the about screen for an id only, never for an arbitrary word', () => {
    expect(findScreen(`/${newId()}`)?.screen.sections).toEqual(['about']);
    expect(findScreen('/anything')).toBeUndefined();
    expect(findScreen('/banner/anything')).toBeUndefined();
  });

  test('describes a rate limit (429) for each change that strangers may make', () => {
    const unlimited = allCalls
      .filter(
        ({ method, who, problems = [] }) => method !== 'GET' && who === 'anyone' && !problems.includes(429),
      )
      .map(named);
    // Signing out costs nothing, and a webhook's signature is checked before any work.
    expect(unlimited).toEqual(['POST /auth/logout', 'POST /stripe/webhook']);
  });

  test('keeps the spelling of the alerts', () => {
    const alerts = sectionNames.flatMap((name) => [
      alertFor(sectionNamed(name), 'added'),
      alertFor(sectionNamed(name), 'updated'),
    ]);
    for (const text of [
      'About is Updated',
      'Video Section is Updated',
      'Team Members Item is Added',
      'Service is Updated',
      'Item is Added',
      'Item is Updated',
      'Step Section is Updated',
      'Logo is Updated',
      'Contcat Section is Updated',
      'Banner is Updated',
      'Footer About  is Updated',
      'Footer Address is Updated',
      'Social Link is Updated',
      'Footer is Updated',
      'Counters is Updated',
      'Action is Updated',
      'FAQ Item is Added',
      'Footer Copy Right Updated',
      // The specification shows no text for these.
      'Pricing is Updated',
      'Testimonial item is Added',
    ])
      expect(alerts, text).toContain(text);
  });
});
