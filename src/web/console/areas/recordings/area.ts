import { AudioLines } from 'lucide-react'
import { defineTexts } from '../../i18n/texts.ts'
import { defineArea } from '../area.ts'

export const recordingsArea = defineArea({
  id: 'recordings',
  title: 'recordings',
  useTitles: defineTexts({
    en: { recordings: 'Recordings', calls: 'Recorded calls' },
    hi: { recordings: 'रिकॉर्डिंग', calls: 'रिकॉर्ड की गई कॉल' },
  }),
  screens: [{ path: '/recordings', title: 'calls', icon: AudioLines, keys: 'g r' }],
  isFor: ({ role, agent }) => role === 'MANAGER' || agent !== null,
})
