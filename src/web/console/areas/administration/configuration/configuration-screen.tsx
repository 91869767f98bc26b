import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useQuery } from 'urql'
import { graphql } from '../../../data/graphql.ts'
import { useFormats } from '../../../i18n/format.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { useNow } from '../../../ui/now.ts'
import { Card, Page } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import { type Values, valuesOf } from './form/values.ts'
import { useSectionTexts } from './section-texts.ts'
import { type Section, sections } from './sections.ts'
import { useConfigurationTexts } from './texts.ts'
import './configuration.css'

const overview = graphql(`
  query ConfigurationOverview {
    TELEPHONY: configuration(section: TELEPHONY)
    AI: configuration(section: AI)
    ALERTS: configuration(section: ALERTS)
    WIDGET: configuration(section: WIDGET)
    THEME: configuration(section: THEME)
    PLATFORM: configuration(section: PLATFORM)
  }
`)

/** The sections, and when each was changed. */
export function ConfigurationScreen() {
  const texts = useConfigurationTexts()
  return (
    <Page title={texts.title} lead={texts.lead}>
      <SectionCards />
      <p className="config-note">{texts.secretsNote}</p>
    </Page>
  )
}

/** A way to each section. */
export function SectionCards() {
  const texts = useConfigurationTexts()
  const [{ data, error }, reload] = useQuery({ query: overview, requestPolicy: 'network-only' })
  if (!data) {
    return (
      <Card>{error ? <ErrorState error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} /> : <Skeleton rows={6} />}</Card>
    )
  }
  return (
    <nav aria-label={texts.sections}>
      <ul className="config-sections">
        {sections.map((section) => (
          <SectionCard key={section.name} section={section} document={data[section.name]} />
        ))}
      </ul>
    </nav>
  )
}

function SectionCard({ section: { name, slug, icon: Icon }, document }: { readonly section: Section; readonly document: Values }) {
  const texts = useConfigurationTexts()
  const titles = useSectionTexts()
  const { ago } = useFormats()
  const now = useNow(60_000)
  const { changedAt, changedBy } = valuesOf(document['_meta'])
  const { name: editor } = valuesOf(changedBy)
  return (
    <li>
      <Link to="/administration/configuration/$section" params={{ section: slug }} className="config-section">
        <span className="config-section-icon" aria-hidden="true">
          <Icon />
        </span>
        <span className="config-section-words">
          <strong>{titles[name]}</strong>
          <span>{titles[`${name}Lead`]}</span>
          {typeof changedAt === 'string' && (
            <small>{texts.changed(ago(changedAt, now), typeof editor === 'string' ? editor : texts.service)}</small>
          )}
        </span>
        <ChevronRight aria-hidden="true" />
      </Link>
    </li>
  )
}
