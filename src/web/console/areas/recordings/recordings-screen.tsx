import { AudioLines } from 'lucide-react'
import { defineTexts } from '../../i18n/texts.ts'
import { Card, Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'

const useTexts = defineTexts({
  en: { title: 'Recorded calls', empty: 'Recordings come here' },
  hi: { title: 'रिकॉर्ड की गई कॉल', empty: 'रिकॉर्डिंग यहाँ आएँगी' },
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
