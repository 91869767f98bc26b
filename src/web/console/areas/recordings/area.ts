import { AudioLines, ListChecks } from 'lucide-react'
import { defineTexts } from '../../i18n/texts.ts'
import { defineArea } from '../area.ts'

export const recordingsArea = defineArea({
  id: 'recordings',
  title: 'recordings',
  useTitles: defineTexts({
    en: { recordings: 'Recordings', calls: 'Recorded calls', scorecards: 'Scorecards' },
    hi: { recordings: 'रिकॉर्डिंग', calls: 'रिकॉर्ड की गई कॉल', scorecards: 'स्कोरकार्ड' },
  }),
  screens: [
    { path: '/recordings', title: 'calls', icon: AudioLines, keys: 'g r' },
    { path: '/recordings/scorecards', title: 'scorecards', icon: ListChecks, keys: 'g q', isFor: ({ role }) => role === 'MANAGER' },
  ],
  isFor: ({ role, agent }) => role === 'MANAGER' || agent !== null,
})
