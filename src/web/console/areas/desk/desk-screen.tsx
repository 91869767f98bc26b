import { Link } from '@tanstack/react-router'
import { Headset } from 'lucide-react'
import { defineTexts } from '../../i18n/texts.ts'
import { Card, Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'

const useTexts = defineTexts({
  en: { title: 'Calls', empty: 'The softphone comes here', callbacks: 'See who waits for a call' },
  hi: { title: 'कॉल', empty: 'सॉफ़्टफ़ोन यहाँ आएगा', callbacks: 'देखें कौन कॉल की प्रतीक्षा में है' },
})

export function DeskScreen() {
  const texts = useTexts()
  return (
    <Page title={texts.title}>
      <Card>
        <EmptyState icon={<Headset />} title={texts.empty}>
          <Link to="/desk/callbacks">{texts.callbacks}</Link>
        </EmptyState>
      </Card>
    </Page>
  )
}
