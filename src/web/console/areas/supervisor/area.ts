import { BellRing, ChartColumn, Gauge, History } from 'lucide-react'
import { defineTexts } from '../../i18n/texts.ts'
import { defineArea } from '../area.ts'

export const supervisorArea = defineArea({
  id: 'supervisor',
  title: 'supervisor',
  useTitles: defineTexts({
    en: { supervisor: 'Supervisor', wallboard: 'Wallboard', history: 'History', days: 'Agent days', alerts: 'Alerts' },
    hi: { supervisor: 'पर्यवेक्षक', wallboard: 'वॉलबोर्ड', history: 'इतिहास', days: 'एजेंट का दिन', alerts: 'चेतावनियाँ' },
  }),
  screens: [
    { path: '/supervisor', title: 'wallboard', icon: Gauge, keys: 'g w' },
    { path: '/supervisor/history', title: 'history', icon: ChartColumn, keys: 'g h' },
    { path: '/supervisor/days', title: 'days', icon: History, keys: 'g y' },
    { path: '/supervisor/alerts', title: 'alerts', icon: BellRing, keys: 'g l' },
  ],
  isFor: ({ role }) => role === 'MANAGER',
})
