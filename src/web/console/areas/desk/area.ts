import { Headset, History, PhoneMissed } from 'lucide-react'
import { defineTexts } from '../../i18n/texts.ts'
import { defineArea } from '../area.ts'

export const deskArea = defineArea({
  id: 'desk',
  title: 'desk',
  useTitles: defineTexts({
    en: { desk: 'Agent desk', calls: 'Calls', worklist: 'Callbacks', recent: 'Recent calls' },
    hi: { desk: 'एजेंट डेस्क', calls: 'कॉल', worklist: 'कॉलबैक', recent: 'हाल की कॉल' },
  }),
  screens: [
    { path: '/desk', title: 'calls', icon: Headset, keys: 'g d' },
    { path: '/desk/callbacks', title: 'worklist', icon: PhoneMissed, keys: 'g c' },
    { path: '/desk/recent', title: 'recent', icon: History, keys: 'g p' },
  ],
  isFor: ({ agent }) => agent !== null,
})
