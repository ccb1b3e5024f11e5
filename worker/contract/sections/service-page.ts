/** Sections of the service page after the counters and the services, in the order in which a visitor sees them. */
import type { Section } from '../section.ts';

const percentHelp = 'From 0 to 100. Without a number, no bar is shown.';

export const servicePage = {
  experience: {
    table: 'experiences',
    kind: 'singleton',
    title: 'Experience',
    about: 'The about block with three skill bars on the service page.',
    api: {
      list: '/experiences',
      add: '/add-experience',
      read: '/experiences/:id',
      update: '/update-experiences/:id',
    },
    screen: {
      home: '/edit-experience/',
      edit: '/edit-experience/:id',
      editLink: 'Update Experience Section',
    },
    titleField: 'experienceHeading',
    fields: {
      experienceText: { label: 'Small text above the heading' },
      experienceHeading: { label: 'Heading' },
      experienceDetails: { label: 'Details', kind: 'text' },
      skillOneText: { label: 'First skill' },
      skillOneNumber: { label: 'First skill in percent', kind: 'percent', help: percentHelp },
      skillTwoText: { label: 'Second skill' },
      skillTwoNumber: { label: 'Second skill in percent', kind: 'percent', help: percentHelp },
      skillThreeText: { label: 'Third skill' },
      skillThreeNumber: { label: 'Third skill in percent', kind: 'percent', help: percentHelp },
    },
  },

  featuresText: {
    table: 'features_texts',
    kind: 'singleton',
    title: 'Features',
    about: 'Heading of the features on the service page.',
    api: { list: '/featurestext', add: '/add-feature-text', read: '/featurestext/:id' },
    screen: {
      home: '/edit-services-features/',
      edit: '/featurestext-edit/:id',
      editLink: 'Edit Features Section',
    },
    titleField: 'FeaturesHeading',
    fields: {
      FeaturesText: { label: 'Small text above the heading' },
      FeaturesHeading: { label: 'Heading' },
    },
  },

  featureItem: {
    table: 'feature_items',
    kind: 'list',
    title: 'Feature item',
    about: 'The features on the service page.',
    api: {
      list: '/featureitems',
      add: '/add-feature-Item',
      read: '/featureitems/:id',
      update: '/update-featureitems/:id',
    },
    screen: { home: '/edit-services-features/', edit: '/edit-feature-items/:id/' },
    titleField: 'FeaturesText',
    fields: {
      FeaturesImg: { label: 'Picture', kind: 'image' },
      FeaturesIcon: { label: 'Icon', kind: 'icon' },
      FeaturesText: { label: 'Title' },
      FeaturesDesc: { label: 'Details', kind: 'text' },
    },
  },

  workStep: {
    table: 'work_steps',
    kind: 'list',
    title: 'Work step',
    about: 'How you work, on the service page. Steps are numbered 01 to 04.',
    api: { list: '/worksec', add: '/add-worksec', read: '/worksec/:id', update: '/update-worksec/:id' },
    screen: { home: '/edit-work', edit: '/edit-work/:id', editLink: 'Edit Now' },
    alerts: { added: 'Step Section is Updated', updated: 'Step Section is Updated' },
    titleField: 'stepTitle',
    numberField: 'stepNumber',
    fields: {
      stepNumber: { label: 'Number', help: 'From 01 to 04.' },
      stepTitle: { label: 'Title' },
      stepDetails: { label: 'Details', kind: 'text' },
      stapIcon: { label: 'Icon', kind: 'icon' },
    },
  },

  sampleReport: {
    table: 'sample_reports',
    kind: 'singleton',
    title: 'Sample report',
    about: 'A sample of the report, on the service page.',
    api: { list: '/sample-report', add: '/add-sample-report', read: '/sample-report/:id' },
    screen: { home: '/edit-sample-report', edit: '/edit-sample-report/:id' },
    fields: {
      reportHeading: { label: 'Heading' },
      reportDetails: { label: 'Details', kind: 'text' },
      reportPageOne: {
        label: 'Picture of the first page',
        kind: 'image',
        help: 'In the picture, number the places that the notes explain, starting with 1.',
      },
      reportPageTwo: { label: 'Picture of the second page', kind: 'image', optional: true },
    },
  },

  reportNote: {
    table: 'report_notes',
    kind: 'list',
    title: 'Report note',
    about: 'The numbered notes beside the sample report.',
    api: { list: '/report-notes', add: '/add-report-note', read: '/report-note/:id' },
    screen: { home: '/edit-sample-report', edit: '/edit-report-note/:id' },
    fields: {
      noteTitle: { label: 'Title' },
      noteDetails: { label: 'Details', kind: 'text' },
    },
  },

  videoText: {
    table: 'video_texts',
    kind: 'singleton',
    title: 'Video section',
    about: 'The video poster on the service page.',
    api: { list: '/videos', add: '/add-video', read: '/videos/:id', update: '/update-videos/:id' },
    screen: { home: '/edit-video', edit: '/videotext-edit/:id', editLink: 'Edit Video Section' },
    alerts: { added: 'Video Section is Updated', updated: 'Video Section is Updated' },
    fields: {
      headingVideo: { label: 'Heading' },
      videoImage: { label: 'Poster picture', kind: 'image' },
      videoLink: { label: 'Video link', kind: 'link', help: 'Opens when a visitor presses the poster.' },
    },
  },

  videoItem: {
    table: 'video_items',
    kind: 'list',
    title: 'Video item',
    about: 'The points beside the video on the service page.',
    api: { list: '/videos-items', add: '/add-video-item', read: '/videos-items/:id' },
    screen: {
      home: '/edit-video',
      edit: '/video/:id',
      editLink: 'Update Video',
      headings: { edit: 'Update Video' },
    },
    alerts: { added: 'Team Members Item is Added', updated: 'Item is Updated' },
    titleField: 'videoItemTitle',
    fields: {
      videoItemIcon: { label: 'Icon', kind: 'icon' },
      videoItemTitle: { label: 'Title' },
      videoItemDetails: { label: 'Details', kind: 'text' },
    },
  },

  teamText: {
    table: 'team_texts',
    kind: 'singleton',
    title: 'Team',
    about: 'Heading of the team on the service page.',
    api: { list: '/teamstext', add: '/add-team-text', read: '/teamstext/:id' },
    screen: { home: '/edit-team-text/', edit: '/team-text-edit/:id/', editLink: 'Edit Team Section' },
    fields: {
      teamHeading: { label: 'Heading' },
      teamText: { label: 'Text', kind: 'text' },
    },
  },

  teamItem: {
    table: 'team_items',
    kind: 'list',
    title: 'Team member',
    about: 'The people on the service page.',
    api: {
      list: '/teamitems',
      add: '/add-team-Item',
      read: '/teamitems/:id',
      update: '/update-teamitems/:id',
    },
    screen: { home: '/edit-team-text/', edit: '/edit-team-items/:id/' },
    alerts: { added: 'Team Members Item is Added', updated: 'Team Members Item is Updated' },
    titleField: 'teamMemberName',
    fields: {
      teamMemberImg: { label: 'Picture', kind: 'image' },
      teamMemberName: { label: 'Name' },
      teamMemberTitle: { label: 'Job title' },
    },
  },

  callToAction: {
    table: 'actions',
    kind: 'singleton',
    title: 'Call to action',
    about: 'The call to action that ends the service page.',
    api: { list: '/actions', add: '/add-action', read: '/actions/:id', update: '/update-actions/:id' },
    screen: { home: '/update-calltoaction', edit: '/edit-call/:id' },
    alerts: { added: 'Action is Updated', updated: 'Action is Updated' },
    fields: {
      heading: { label: 'Heading' },
      subHeading: { label: 'Subheading', kind: 'text' },
      buttonLink: { label: 'Button link', kind: 'link', editOnly: true },
      buttonText: { label: 'Button text', editOnly: true },
    },
  },
} as const satisfies Record<string, Section>;
