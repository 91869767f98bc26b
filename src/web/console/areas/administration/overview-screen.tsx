import { Settings } from 'lucide-react'
import { defineTexts } from '../../i18n/texts.ts'
import { Card, Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'

const useTexts = defineTexts({
  en: { title: 'Administration', empty: 'This screen is not built yet. The API has its data.' },
  hi: { title: 'व्यवस्थापन', empty: 'यह स्क्रीन अभी नहीं बनी है। इसका डेटा API में है।' },
})

export function OverviewScreen() {
  const texts = useTexts()
  return (
    <Page title={texts.title}>
      <Card>
        <EmptyState icon={<Settings />} title={texts.empty} />
      </Card>
    </Page>
  )
}
