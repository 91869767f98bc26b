import { Settings } from 'lucide-react'
import { defineTexts } from '../../i18n/texts.ts'
import { defineArea } from '../area.ts'

export const administrationArea = defineArea({
  id: 'administration',
  title: 'administration',
  useTitles: defineTexts({
    en: { administration: 'Administration', overview: 'Overview' },
    hi: { administration: 'व्यवस्थापन', overview: 'सारांश' },
  }),
  screens: [{ path: '/administration', title: 'overview', icon: Settings, keys: 'g a' }],
  isFor: ({ role }) => role === 'MANAGER',
})
