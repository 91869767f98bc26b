import { AudioLines } from 'lucide-react'
import { defineTexts } from '../../i18n/texts.ts'
import { Card, Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'

const useTexts = defineTexts({
  en: { title: 'Recorded calls', empty: 'This screen is not built yet. The API has its data.' },
  hi: { title: 'रिकॉर्ड की गई कॉल', empty: 'यह स्क्रीन अभी नहीं बनी है। इसका डेटा API में है।' },
})

export function RecordingsScreen() {
  const texts = useTexts()
  return (
    <Page title={texts.title}>
      <Card>
        <EmptyState icon={<AudioLines />} title={texts.empty} />
      </Card>
    </Page>
  )
}
