import { Settings } from 'lucide-react'
import { defineTexts } from '../../i18n/texts.ts'
import { Card, Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'

const useTexts = defineTexts({
  en: { title: 'Administration', empty: 'The setup comes here' },
  hi: { title: 'व्यवस्थापन', empty: 'सेटअप यहाँ आएगा' },
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
