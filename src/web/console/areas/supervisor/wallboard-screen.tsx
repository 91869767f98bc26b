import { Gauge } from 'lucide-react'
import { defineTexts } from '../../i18n/texts.ts'
import { Card, Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'

const useTexts = defineTexts({
  en: { title: 'Wallboard', empty: 'This screen is not built yet. The API has its data.' },
  hi: { title: 'वॉलबोर्ड', empty: 'यह स्क्रीन अभी नहीं बनी है। इसका डेटा API में है।' },
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
