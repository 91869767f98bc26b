import { Headset, PhoneMissed } from 'lucide-react'
import { defineTexts } from '../../i18n/texts.ts'
import { defineArea } from '../area.ts'

export const deskArea = defineArea({
  id: 'desk',
  title: 'desk',
  useTitles: defineTexts({
    en: { desk: 'Agent desk', calls: 'Calls', worklist: 'Callbacks' },
    hi: { desk: 'एजेंट डेस्क', calls: 'कॉल', worklist: 'कॉलबैक' },
  }),
  screens: [
    { path: '/desk', title: 'calls', icon: Headset, keys: 'g d' },
    { path: '/desk/callbacks', title: 'worklist', icon: PhoneMissed, keys: 'g c' },
  ],
  isFor: ({ agent }) => agent !== null,
})
