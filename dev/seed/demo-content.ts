/**
 * The demo site: a made-up firm that sells SEO to loan agencies, on top of the content of every new site.
 * Figures, people and quotes are examples, and the foot of every page says so.
 */
import { firstContent } from '#deploy/first-content.ts';
import type { Input } from '#contract/section.ts';
import type { Sections } from '#contract/sections/index.ts';
import { demoArticles } from './demo-articles.ts';

type DemoContent = { readonly [N in keyof Sections]?: readonly Input<Sections[N]>[] };

export const demoContent = {
  banner: [
    {
      bannerText: 'SEO for loan agencies, and nothing else',
      bannerHeading: 'Borrowers search first. Be the agency they find.',
      bannerDetails:
        'We write the pages, fix the site and correct the listings that bring borrowers to independent loan agencies. Three packages, fixed prices, and a report that counts applications instead of clicks.',
      imageOne: '/images/search-result.svg',
      buttonText: 'See the packages',
      buttonURL: '/pricing/',
    },
  ],
  logo: [{ logo: '/images/logo.svg' }],
  about: [
    {
      aboutText: 'About {name}',
      aboutHeading: 'We keep count, so you can check our work',
      aboutDetails:
        '{name} works for loan agencies only: mortgage brokers, small-business lenders, auto and personal loan offices. That means we already know what a lender may promise on a page, which license numbers belong in the footer, and how a borrower types a question at eleven at night.\n\nThirty days after your order you receive a report of two pages. One says what we did, the other what it brought.',
      aboutImgOne: '/images/report.svg',
      aboutImg: '',
      aboutPointone: 'No contract beyond the package you bought',
      aboutPointwo: 'You read every page before it is published',
      aboutPointhree: 'Your site, your listings and your data stay yours',
      aboutLinkText: 'See a sample report',
      aboutLink: '/service/#sample-report',
    },
  ],
  serviceText: [
    {
      serviceHeading: 'What we do for an agency',
      servicesubHeading: 'Six kinds of work that move a lender up the results.',
      serviceLinkText: 'See how each is done',
      servicePageText:
        'How each kind of work is done, by whom, and what you have in hand when it is finished.',
    },
  ],
  serviceItem: [
    {
      serviceIcon: 'file-search',
      serviceTitle: 'Site review',
      serviceDetails:
        'We read your site as a search engine does and list what holds it back, worst first, with the time each fix takes.',
      serviceImg: '',
      serviceName: '',
      serviceMore:
        'Eleven checks, from blocked pages and slow rate tables to missing license numbers. Daniel walks through your site by hand on a phone, as a borrower would, and writes down each place where he would have given up.',
      serviceResult: 'A list of fixes with effort and likely worth',
    },
    {
      serviceIcon: 'pen',
      serviceTitle: 'Loan pages',
      serviceDetails:
        'One page for each loan you offer, written from an interview with your loan officers and checked against your disclosures.',
      serviceImg: '',
      serviceName: '',
      serviceMore:
        'Imani spends an hour on the phone with the officer who knows the loan, then drafts the page in their words. Every rate, term and claim in the draft carries its source, so that your compliance officer can check it line by line.',
      serviceResult: 'Published pages, each approved by you',
    },
    {
      serviceIcon: 'map-pin',
      serviceTitle: 'Local listings',
      serviceDetails:
        'Name, address, hours and license number made the same everywhere, from Google to the county directory.',
      serviceImg: '',
      serviceName: '',
      serviceMore:
        'Peter collects every listing of your office, old addresses included, and corrects or removes them one at a time. Where a directory asks for proof by phone or mail, he tells you what will arrive and when.',
      serviceResult: 'A table of listings, before and after',
    },
    {
      serviceIcon: 'link',
      serviceTitle: 'Links worth having',
      serviceDetails:
        'Mentions from chambers of commerce, realtor associations and local papers. We never buy links, and we show you each one.',
      serviceImg: '',
      serviceName: '',
      serviceMore:
        'We look for people who already have a reason to name you: the chamber you belong to, the builder you lend for, the paper that covers your town. We write to them in your name, and you read each letter first.',
      serviceResult: 'The address of every mention',
    },
    {
      serviceIcon: 'gauge',
      serviceTitle: 'Speed and fixes',
      serviceDetails:
        'Rate tables that load at once, forms that work on an old phone, and addresses that still lead somewhere after a redesign.',
      serviceImg: '',
      serviceName: '',
      serviceMore:
        'We fix what the review found in your site as it is: lighter pictures, forms that keep what was typed, redirects for pages that moved. If your web developer prefers to do it, they get the list and we check the result.',
      serviceResult: 'Each fix, with the speed before and after',
    },
    {
      serviceIcon: 'chart-column',
      serviceTitle: 'Counting',
      serviceDetails: 'Calls, forms and applications, each traced to the search that began it.',
      serviceImg: '',
      serviceName: '',
      serviceMore:
        'We set up counting that works with the phone number and forms you have, and test it with calls of our own. What cannot be traced is reported as unknown, never guessed.',
      serviceResult: 'A two-page report after 30 days',
    },
  ],
  counters: [
    {
      happyClientsNumber: '140',
      happyClientsText: 'agencies served',
      projectCompleteNumber: '2,300',
      projectCompleteText: 'loan pages published',
      yearofExperienceNumber: '11',
      yearofExperienceText: 'years with lenders',
      teamNumber: '18',
      teamText: 'people on the team',
      winingAwardNumber: '96%',
      winingAwardText: 'of pages on the promised day',
    },
  ],
  ...firstContent,
  brand: [{ ...firstContent.brand[0], name: 'Tallymark', icon: '/demo-icon.png', sharedPicture: '/og.png' }],
  searchText: [
    firstContent.searchText[0],
    firstContent.searchText[1],
    {
      page: '/service/',
      pageTitle: 'What we do for loan agencies | {name}',
      pageDescription:
        'Site review, loan pages, local listings, links, speed and counting: how {name} brings borrowers to independent lenders, and who does the work.',
    },
    {
      page: '/contact',
      pageTitle: 'Contact {name}, SEO for lenders',
      pageDescription:
        'Call, write or visit {name}, or send a message: tell us where you lend and what you would like to be found for. A person reads every message.',
    },
  ],
  testimonialText: [
    {
      testimonialText: 'What customers say',
      testimonialHeading: 'Lenders are hard to impress. That suits us.',
    },
  ],
  testimonial: [
    {
      image: '/images/client-carla.svg',
      personName: 'Carla Mendes',
      personTitle: 'Owner, Harbor Street Mortgage',
      desc: 'They asked my loan officers better questions than most borrowers do. Three months on, our refinance page brings in two applications a week, and I can see which ones.',
    },
    {
      image: '/images/client-marcus.svg',
      personName: 'Marcus Bell',
      personTitle: 'Director, Bell County Auto Loans',
      desc: 'The first report said that one of their own pages had not worked, and why. I have never had that from an agency before. We bought the next package the same day.',
    },
    {
      image: '/images/client-joan.svg',
      personName: 'Joan Whitfield',
      personTitle: 'Compliance officer, Prairie Business Lending',
      desc: 'Not one sentence went live before I had read it, and the rate disclosures were right the first time. For a lender that is most of the work.',
    },
  ],
  pricingText: [
    {
      pricingHeading: 'Pay once, and see the work in 30 days',
      pricingDetails: 'Every package is a single order. Nothing renews, and nothing is added later.',
      pricingLinkText: 'Compare the packages line by line',
      pricingPageText:
        'Fixed prices for a fixed piece of work. Order the package that fits the number of your offices; work begins within two business days of your payment.',
      comparisonHeading: 'Line by line',
    },
  ],
  comparisonRow: [
    { comparisonTitle: 'Offices covered', basicValue: '1', standardValue: '1', premiumValue: 'Up to 5' },
    { comparisonTitle: 'Loan pages written', basicValue: '2', standardValue: '4', premiumValue: '8' },
    {
      comparisonTitle: 'Local listings corrected',
      basicValue: '10',
      standardValue: '20',
      premiumValue: '40',
    },
    {
      comparisonTitle: 'Google Business Profile',
      basicValue: 'Set up',
      standardValue: 'Kept for 30 days',
      premiumValue: 'Kept for 30 days',
    },
    {
      comparisonTitle: 'Fixes from the site review',
      basicValue: 'You get the list',
      standardValue: 'We make them',
      premiumValue: 'We make them',
    },
    {
      comparisonTitle: 'Mentions in local papers and associations',
      basicValue: 'No',
      standardValue: '2',
      premiumValue: '6',
    },
    {
      comparisonTitle: 'A page for each office',
      basicValue: 'No',
      standardValue: 'No',
      premiumValue: 'Yes',
    },
    {
      comparisonTitle: 'Reports after 30 days',
      basicValue: '1',
      standardValue: '1',
      premiumValue: 'One for each office',
    },
    {
      comparisonTitle: 'How we answer questions',
      basicValue: 'Email',
      standardValue: 'Email and phone',
      premiumValue: 'Email, phone and a weekly call',
    },
    {
      comparisonTitle: 'Drafts approved by you',
      basicValue: 'Yes',
      standardValue: 'Yes',
      premiumValue: 'Yes',
    },
  ],
  exampleText: [
    {
      exampleHeading: 'One order, day by day',
      exampleDetails:
        'Harbor Street Mortgage, one office in Joliet, ordered Standard in March. Before it, search brought seven applications a month.',
    },
  ],
  exampleDay: [
    {
      dayDate: 'March 3',
      dayTitle: 'Ordered and paid, $899',
      dayDetails: 'Carla answers seven questions about her loans and her towns the same evening.',
    },
    {
      dayDate: 'March 6',
      dayTitle: 'Site review',
      dayDetails:
        'Fourteen findings: nine for us to fix, five that only the agency can decide. The worst, a refinance page that was hidden from search engines, is fixed the same day.',
    },
    {
      dayDate: 'March 10',
      dayTitle: 'Interview',
      dayDetails: 'One hour with the loan officer who writes most bridge loans.',
    },
    {
      dayDate: 'March 17',
      dayTitle: 'Four drafts to read',
      dayDetails:
        'Three approved as they are. One comes back with a note on its rate example and is changed the next day.',
    },
    {
      dayDate: 'March 24',
      dayTitle: 'Published',
      dayDetails: 'Four pages live, nine fixes made, twenty listings corrected.',
    },
    {
      dayDate: 'April 2',
      dayTitle: 'The report',
      dayDetails:
        'Eleven applications began with a search, four more than in the month before. Most came through the refinance page, which search engines could read again. The new pages need more time.',
    },
  ],
  sampleReport: [
    {
      reportHeading: 'The report you receive',
      reportDetails: 'Two pages, thirty days after the order, and no figure without its source.',
      reportPageOne: '/images/report-done.svg',
      reportPageTwo: '/images/report-brought.svg',
    },
  ],
  reportNote: [
    {
      noteTitle: 'Every promise, checked off or not',
      noteDetails:
        'Each line of the order, one by one. Where something is not done, it says why, and when it will be.',
    },
    {
      noteTitle: 'What you can check yourself',
      noteDetails:
        'Each line leads to the page, the listing or the fix, so you do not have to take our word for it.',
    },
    {
      noteTitle: 'Counted, not estimated',
      noteDetails: 'Calls, forms and applications that began with a search, beside the month before.',
    },
    {
      noteTitle: 'What brought nothing',
      noteDetails: 'A page without a visitor is named here, with what we would change about it.',
    },
  ],
  footerAddress: [
    {
      phoneNumber: '+1 (312) 555-0142',
      emailAddress: 'hello@firm.example',
      location: '218 Ledger Street, Suite 4, Chicago, IL 60601',
    },
  ],
  footerSocial: [
    {
      aboutText: 'Short lessons on search for lenders, when we have one worth your time.',
      youlink: 'https://www.youtube.com/@firm.example',
      fblink: 'https://www.facebook.com/firm.example',
      inslink: 'https://www.instagram.com/firm.example',
    },
  ],
  copyright: [{ copyrightText: '© 2026 {name}. The figures, people and quotes on this site are examples.' }],
  footerAbout: [
    {
      aboutFooterText: '{name}',
      aboutFooterDetails:
        'SEO packages for loan agencies: fixed prices, work you can check, and a report that counts applications.',
    },
  ],
  contactDetail: [
    {
      contactImg: '/images/contact-phone.svg',
      contactTitle: 'Call us',
      contactDetails: '+1 (312) 555-0142\nMonday to Friday, 9 a.m. to 5 p.m. Central',
    },
    {
      contactImg: '/images/contact-email.svg',
      contactTitle: 'Write to us',
      contactDetails: 'hello@firm.example\nAnswered within one business day',
    },
    {
      contactImg: '/images/contact-office.svg',
      contactTitle: 'Visit us',
      contactDetails: '218 Ledger Street, Suite 4\nChicago, IL 60601',
    },
  ],
  experience: [
    {
      experienceText: 'How it turns out',
      experienceHeading: 'Specialists in a narrow field',
      experienceDetails:
        'A lender’s page has to please three readers: the borrower, the search engine and the regulator. We have written for all three since 2015, and we share what we learn among our customers as long as they do not compete in the same town.\n\nThe bars show how last year’s orders turned out.',
      skillOneText: 'Pages delivered on the day promised',
      skillOneNumber: '96',
      skillTwoText: 'Pages passed by compliance at first reading',
      skillTwoNumber: '91',
      skillThreeText: 'Customers who ordered again',
      skillThreeNumber: '84',
    },
  ],
  featuresText: [
    { FeaturesText: 'What is different here', FeaturesHeading: 'Three habits that lenders notice' },
  ],
  featureItem: [
    {
      FeaturesImg: '/images/page-for-each-loan.svg',
      FeaturesIcon: 'file-text',
      FeaturesText: 'A page for each loan',
      FeaturesDesc:
        'A borrower who types “bridge loan, bad credit, Joliet” should land on a page about that, not on a home page with a phone number.',
    },
    {
      FeaturesImg: '/images/map-listing.svg',
      FeaturesIcon: 'map',
      FeaturesText: 'Your town before the country',
      FeaturesDesc:
        'Most loans are made within twenty miles of the office. We win those searches first, because you can answer the door to them.',
    },
    {
      FeaturesImg: '/images/open-figures.svg',
      FeaturesIcon: 'eye',
      FeaturesText: 'Open figures',
      FeaturesDesc:
        'You see the same counts that we see, bad months included. If a page brings nothing, the report says so.',
    },
  ],
  workStep: [
    {
      stepNumber: '01',
      stepTitle: 'Ask',
      stepDetails:
        'An hour with your loan officers: who borrows, what they ask, which loans you want more of.',
      stapIcon: 'message',
    },
    {
      stepNumber: '02',
      stepTitle: 'Fix',
      stepDetails: 'What holds your present pages back comes first. These fixes often show within weeks.',
      stapIcon: 'wrench',
    },
    {
      stepNumber: '03',
      stepTitle: 'Write',
      stepDetails: 'New pages in your words, read and approved by you and your compliance officer.',
      stapIcon: 'pen',
    },
    {
      stepNumber: '04',
      stepTitle: 'Count',
      stepDetails: 'Calls, forms and applications traced to the search that began them, on two pages.',
      stapIcon: 'chart-column',
    },
  ],
  videoText: [
    {
      headingVideo: 'How we read a lender’s site, in four minutes',
      videoImage: '/images/video-poster.svg',
      videoLink: 'https://www.youtube.com/@firm.example/videos',
    },
  ],
  videoItem: [
    {
      videoItemIcon: 'search-check',
      videoItemTitle: 'What a borrower sees',
      videoItemDetails: 'The three searches that most loans begin with, and what stands above you today.',
    },
    {
      videoItemIcon: 'list-checks',
      videoItemTitle: 'What we look for',
      videoItemDetails: 'Eleven checks, in the order in which they cost you applications.',
    },
    {
      videoItemIcon: 'clipboard-check',
      videoItemTitle: 'What you receive',
      videoItemDetails: 'The list of fixes, each with its effort and its likely worth.',
    },
  ],
  teamText: [
    {
      teamHeading: 'The people who do the work',
      teamText: 'Four of our team. You speak with the person who writes your pages.',
    },
  ],
  teamItem: [
    {
      teamMemberImg: '/images/team-ruth.svg',
      teamMemberName: 'Ruth Okafor',
      teamMemberTitle: 'Founder, strategy',
    },
    {
      teamMemberImg: '/images/team-daniel.svg',
      teamMemberName: 'Daniel Reyes',
      teamMemberTitle: 'Technical fixes',
    },
    {
      teamMemberImg: '/images/team-imani.svg',
      teamMemberName: 'Imani Brooks',
      teamMemberTitle: 'Loan pages and interviews',
    },
    {
      teamMemberImg: '/images/team-peter.svg',
      teamMemberName: 'Peter Lindqvist',
      teamMemberTitle: 'Listings and links',
    },
  ],
  callToAction: [
    {
      heading: 'Choose a package, or ask us which one',
      subHeading:
        'Work begins within two business days of your payment. The price you see is the price you pay.',
      buttonLink: '/pricing/',
      buttonText: 'Compare the packages',
    },
  ],
  step: [
    {
      stepNumber: '01',
      stepTitle: 'Choose a package',
      stepDetails: 'Order and pay by card. You receive a confirmation and a date at once.',
    },
    {
      stepNumber: '02',
      stepTitle: 'Tell us about your loans',
      stepDetails:
        'A few questions to answer online, then an hour by phone with the person who writes your pages.',
    },
    {
      stepNumber: '03',
      stepTitle: 'Read before we publish',
      stepDetails: 'Every page comes to you first. Nothing goes live without your word.',
    },
    {
      stepNumber: '04',
      stepTitle: 'See what it brought',
      stepDetails: 'After 30 days you have the report. Order again only if the figures say so.',
    },
  ],
  faqText: [{ faqText: 'Questions lenders ask', faqHeading: 'Before you order' }],
  faqItem: [
    {
      accodingTitle: 'Is the price monthly or one-time?',
      accodingText:
        'One-time. Each package is one piece of work, paid once and finished within 30 days. Nothing renews. Most agencies order again once they have read the report.',
    },
    {
      accodingTitle: 'How soon will we rank higher?',
      accodingText:
        'Fixes and listings often show within two to eight weeks, new pages within three to six months. Nobody can promise a position, and we do not.',
    },
    {
      accodingTitle: 'Who checks that the pages are compliant?',
      accodingText:
        'You do, and we make it easy: each draft marks every rate, term and claim with its source. We know the usual rules on advertising credit, but your compliance officer has the last word.',
    },
    {
      accodingTitle: 'Do you work for our competitors?',
      accodingText:
        'Not in the same town and the same kind of loan. Write to us before you order, or name your towns in the questions that follow an order. If your area is taken, we say so at once and refund you in full.',
    },
    {
      accodingTitle: 'What do you need from us?',
      accodingText:
        'An hour of a loan officer’s time, access to your website, and someone who can approve a draft within a week.',
    },
    {
      accodingTitle: 'Can we change to a larger package later?',
      accodingText:
        'Each order is a piece of work of its own. If you have just ordered, write to us before the work begins: we refund the smaller package in full, and you order the larger one.',
    },
  ],
  businessDetails: [
    {
      legalName: '{name} Search LLC',
      postalAddress: '218 Ledger Street, Suite 4\nChicago, IL 60601\nUnited States',
      phone: '+1 (312) 555-0142',
      taxNumber: 'EIN 00-0000000',
      registration: 'Limited liability company, State of Illinois',
      billingEmail: 'billing@firm.example',
      receiptNote: 'An example business. No sales tax is charged on these services.',
    },
  ],
  briefQuestion: [
    {
      question: 'What is the address of your website?',
      help: 'If you have more than one, give the one that borrowers should find first.',
      kind: 'link',
    },
    {
      question: 'Which loans should we bring you borrowers for?',
      help: 'The most important first, such as FHA purchase loans, then VA refinancing.',
      kind: 'text',
    },
    {
      question: 'Which towns or counties do you serve?',
      help: 'List them as your borrowers call them.',
      kind: 'text',
    },
    {
      question: 'Which license numbers must appear on your pages?',
      help: 'Your NMLS number, and those of the states where you lend.',
      kind: 'line',
    },
    {
      question: 'Who approves what we write, and how do we reach them?',
      help: 'The name and email of the person who can say yes within a week.',
      kind: 'line',
    },
    {
      question: 'What is your website built with?',
      help: '',
      kind: 'choice',
      choices: 'WordPress\nWix\nSquarespace\nSomething else\nI do not know',
    },
    {
      question: 'Which agencies do you lose borrowers to?',
      help: 'Two or three names are enough.',
      kind: 'text',
      required: 'no',
    },
    {
      question: 'Where are your offices?',
      help: 'The street address of each office that should have a page of its own.',
      kind: 'text',
      packages: 'Premium',
    },
  ],
  planStep: [
    {
      title: 'Site review',
      details: 'We read your site as a search engine does and list what holds it back, worst first.',
      dueDays: '5',
    },
    {
      title: 'Interview with a loan officer',
      details: 'One hour by phone with the person who writes your pages.',
      dueDays: '7',
    },
    {
      title: 'Drafts of your loan pages',
      details:
        'Each draft marks every rate, term and claim with its source. Nothing is published without your word.',
      dueDays: '14',
      approval: 'yes',
    },
    {
      title: 'Fixes on your site',
      details: 'We make the fixes from the site review, and tell you about each one.',
      dueDays: '18',
      packages: 'Standard, Premium',
    },
    {
      title: 'Local listings corrected',
      details: 'Name, address and phone number read the same wherever borrowers find you.',
      dueDays: '21',
    },
    {
      title: 'Loan pages published',
      details: 'The pages that you approved go live, and we tell search engines about them.',
      dueDays: '24',
    },
    {
      title: 'Your report',
      details: 'What we did, and the calls, forms and applications that began with a search.',
      dueDays: '30',
    },
  ],
  redirect: [{ from: '/packages', to: '/pricing/' }],
  article: demoArticles,
  articlesText: [
    {
      articlesHeading: 'Guides and case studies',
      articlesIntro:
        'What we have learned about how borrowers search, and what came of it at the agencies we work for.',
    },
  ],
  designItem: [
    {
      format: 'Facebook',
      canvaLink: 'https://www.canva.com/templates/',
      imageLink: '/images/open-figures.svg',
      category: 'Rate update',
      freeOrPaid: 'Free',
    },
    {
      format: 'Instagram',
      canvaLink: 'https://www.canva.com/templates/',
      imageLink: '/images/map-listing.svg',
      category: 'Office opening',
      freeOrPaid: 'Paid',
    },
    {
      format: 'Youtube',
      canvaLink: 'https://www.canva.com/templates/',
      imageLink: '/images/video-poster.svg',
      category: 'Lesson cover',
      freeOrPaid: 'Paid',
    },
  ],
} as const satisfies DemoContent;
