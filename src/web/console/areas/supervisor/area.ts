import { Gauge } from 'lucide-react'
import { defineTexts } from '../../i18n/texts.ts'
import { defineArea } from '../area.ts'

export const supervisorArea = defineArea({
  id: 'supervisor',
  title: 'supervisor',
  useTitles: defineTexts({
    en: { supervisor: 'Supervisor', wallboard: 'Wallboard' },
    hi: { supervisor: 'पर्यवेक्षक', wallboard: 'वॉलबोर्ड' },
  }),
  screens: [{ path: '/supervisor', title: 'wallboard', icon: Gauge, keys: 'g w' }],
  isFor: ({ role }) => role === 'MANAGER',
})
