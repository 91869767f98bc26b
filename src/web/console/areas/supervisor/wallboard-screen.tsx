import { Gauge } from 'lucide-react'
import { defineTexts } from '../../i18n/texts.ts'
import { Card, Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'

const useTexts = defineTexts({
  en: { title: 'Wallboard', empty: 'Agents and calls come here' },
  hi: { title: 'वॉलबोर्ड', empty: 'एजेंट और कॉल यहाँ आएँगे' },
})

export function WallboardScreen() {
  const texts = useTexts()
  return (
    <Page title={texts.title}>
      <Card>
        <EmptyState icon={<Gauge />} title={texts.empty} />
      </Card>
    </Page>
  )
}
