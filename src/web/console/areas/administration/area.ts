import { Activity, Inbox, ListChecks, MessagesSquare, ScrollText, Settings, SlidersHorizontal, Users, Webhook } from 'lucide-react'
import { defineTexts } from '../../i18n/texts.ts'
import { defineArea } from '../area.ts'

export const administrationArea = defineArea({
  id: 'administration',
  title: 'administration',
  useTitles: defineTexts({
    en: {
      administration: 'Administration',
      overview: 'Overview',
      setup: 'Setup',
      configuration: 'Configuration',
      team: 'Team',
      widget: 'Chat widget',
      webhooks: 'Webhooks',
      deadLetters: 'Failed events',
      audit: 'Audit log',
      health: 'Health',
    },
    hi: {
      administration: 'व्यवस्थापन',
      overview: 'सारांश',
      setup: 'सेटअप',
      configuration: 'कॉन्फ़िगरेशन',
      team: 'टीम',
      widget: 'चैट विजेट',
      webhooks: 'वेबहुक',
      deadLetters: 'असफल घटनाएँ',
      audit: 'ऑडिट लॉग',
      health: 'सेवा की स्थिति',
    },
  }),
  screens: [
    { path: '/administration', title: 'overview', icon: Settings, keys: 'g a' },
    { path: '/administration/setup', title: 'setup', icon: ListChecks, keys: 'g s' },
    { path: '/administration/configuration', title: 'configuration', icon: SlidersHorizontal, keys: 'g o' },
    { path: '/administration/team', title: 'team', icon: Users, keys: 'g t' },
    { path: '/administration/widget', title: 'widget', icon: MessagesSquare, keys: 'g k' },
    { path: '/administration/webhooks', title: 'webhooks', icon: Webhook, keys: 'g b' },
    { path: '/administration/dead-letters', title: 'deadLetters', icon: Inbox, keys: 'g f' },
    { path: '/administration/audit', title: 'audit', icon: ScrollText, keys: 'g u' },
    { path: '/administration/health', title: 'health', icon: Activity, keys: 'g e' },
  ],
  isFor: ({ role }) => role === 'MANAGER',
})
