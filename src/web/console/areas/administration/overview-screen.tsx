import { Link } from '@tanstack/react-router'
import { useQuery } from 'urql'
import { defineTexts } from '../../i18n/texts.ts'
import { ErrorState } from '../../data/error-state.tsx'
import { Card, Page, Section } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { SectionCards } from './configuration/configuration-screen.tsx'
import { isDone, setupQuery } from './setup/documents.ts'
import { Progress } from './setup/progress.tsx'

const useTexts = defineTexts({
  en: {
    title: 'Administration',
    lead: 'What this workspace needs, and what it can change.',
    setup: 'Setup',
    goOn: 'Continue the setup',
    again: 'See the steps',
    configuration: 'Configuration',
  },
  hi: {
    title: 'व्यवस्थापन',
    lead: 'इस कार्यक्षेत्र को क्या चाहिए, और वह क्या बदल सकता है।',
    setup: 'सेटअप',
    goOn: 'सेटअप जारी रखें',
    again: 'कदम देखें',
    configuration: 'कॉन्फ़िगरेशन',
  },
})

/** How far the setup is, and the way to every section of the configuration. */
export function OverviewScreen() {
  const texts = useTexts()
  const [{ data, error }, ask] = useQuery({ query: setupQuery })
  const steps = data?.setupState.steps
  return (
    <Page title={texts.title} lead={texts.lead}>
      <Section title={texts.setup}>
        <Card>
          {steps ? (
            <div className="setup-overview">
              <Progress steps={steps} />
              <Link to="/administration/setup" className="ui-button ui-button-plain">
                {steps.every(isDone) ? texts.again : texts.goOn}
              </Link>
            </div>
          ) : error ? (
            <ErrorState error={error} onRetry={() => ask({ requestPolicy: 'network-only' })} />
          ) : (
            <Skeleton />
          )}
        </Card>
      </Section>
      <Section title={texts.configuration}>
        <SectionCards />
      </Section>
    </Page>
  )
}
