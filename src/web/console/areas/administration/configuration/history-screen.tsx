import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft, History } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import type { ServiceError } from '@call-center-sidecar/client'
import { useClient, useQuery } from 'urql'
import { refreshTheme } from '../../../data/theme.ts'
import { useFormats } from '../../../i18n/format.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { useAction } from '../../../data/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { EmptyState, Skeleton } from '../../../ui/states.tsx'
import { showToast } from '../../../ui/toast.ts'
import { historyQuery, restoreSection, type Revision, versionQuery } from './documents.ts'
import { changesBetween, withFingerprints } from './form/changes.ts'
import { ChangesTable } from './form/changes-table.tsx'
import { useFieldNames } from './form/field-names.ts'
import { FormProvider } from './form/form-context.ts'
import { type Field, fieldsOf } from './form/schema.ts'
import { useSectionForm } from './form/use-section-form.ts'
import type { Values } from './form/values.ts'
import { NoSection } from './section-screen.tsx'
import { useSectionTexts } from './section-texts.ts'
import { type Section, sectionOfSlug } from './sections.ts'
import { useConfigurationTexts } from './texts.ts'
import './configuration.css'

/** The versions of a section: who made each, what is different now, and the way back to it. */
export function HistoryScreen() {
  const { section: slug = '' } = useParams({ strict: false })
  const section = sectionOfSlug(slug)
  return section ? <SectionHistory key={section.name} section={section} /> : <NoSection />
}

function SectionHistory({ section }: { readonly section: Section }) {
  const texts = useConfigurationTexts()
  const titles = useSectionTexts()
  const [{ data, error }, ask] = useQuery({ query: historyQuery, variables: { section: section.name }, requestPolicy: 'network-only' })
  const reload = useCallback(() => ask({ requestPolicy: 'network-only' }), [ask])
  const fields = useMemo(() => fieldsOf(data?.configurationSchema), [data?.configurationSchema])
  return (
    <Page
      title={texts.versionTitle(titles[section.name])}
      lead={texts.versionLead}
      actions={
        <Link to="/administration/configuration/$section" params={{ section: section.slug }} className="ui-button ui-button-quiet">
          <ArrowLeft aria-hidden="true" />
          {texts.toSection(titles[section.name])}
        </Link>
      }
      isWide
    >
      {data ? (
        <Versions
          section={section}
          fields={fields}
          document={data.configuration}
          revisions={data.configurationHistory}
          onRestored={reload}
        />
      ) : (
        <Card>{error ? <ErrorState error={error} onRetry={reload} /> : <Skeleton rows={6} />}</Card>
      )}
    </Page>
  )
}

type VersionsProps = {
  readonly section: Section
  readonly fields: readonly Field[]
  readonly document: Values
  readonly revisions: readonly Revision[]
  readonly onRestored: () => void
}

function Versions({ section, fields, document, revisions, onRestored }: VersionsProps) {
  const texts = useConfigurationTexts()
  const [current, ...earlier] = revisions
  const [chosen, setChosen] = useState<number | null>(earlier[0]?.version ?? null)
  const { form } = useSectionForm({ slug: section.slug, fields, document })
  const revision = revisions.find(({ version }) => version === chosen)
  if (earlier.length === 0) {
    return (
      <Card>
        <EmptyState icon={<History />} title={texts.onlyOne}>
          {texts.onlyOneText}
        </EmptyState>
      </Card>
    )
  }
  return (
    <FormProvider value={form}>
      <div className="config-history">
        <nav className="config-versions" aria-label={texts.versions}>
          <ol>
            {revisions.map((one) => (
              <li key={one.id}>
                <VersionButton
                  section={section}
                  revision={one}
                  isCurrent={one === current}
                  isChosen={one === revision}
                  onChoose={() => setChosen(one.version)}
                />
              </li>
            ))}
          </ol>
        </nav>
        {revision && (
          <Difference
            key={revision.id}
            section={section}
            fields={fields}
            document={document}
            revision={revision}
            currentVersion={current?.version ?? 0}
            onRestored={onRestored}
          />
        )}
      </div>
    </FormProvider>
  )
}

type VersionButtonProps = {
  readonly section: Section
  readonly revision: Revision
  readonly isCurrent: boolean
  readonly isChosen: boolean
  readonly onChoose: () => void
}

/** More names of fields than this are only counted. */
const namedFields = 3

function VersionButton({ section, revision, isCurrent, isChosen, onChoose }: VersionButtonProps) {
  const texts = useConfigurationTexts()
  const names = useFieldNames(section.slug)
  const { moment, number } = useFormats()
  const { version, changedAt, changedBy, action, fields } = revision
  const labels = fields.slice(0, namedFields).map((path) => names.label(path.split('.')))
  const more = fields.length > namedFields ? [texts.moved(fields.length - namedFields)] : []
  return (
    <button type="button" className="config-version" aria-current={isChosen ? 'true' : undefined} onClick={onChoose}>
      <span className="config-version-head">
        <strong>{texts.version(number(version))}</strong>
        {isCurrent && <Badge tone="good">{texts.current}</Badge>}
        <span className="config-version-action">{texts[action]}</span>
      </span>
      <span>
        <time dateTime={changedAt}>{moment(changedAt)}</time> · {changedBy?.name ?? texts.service}
      </span>
      {labels.length > 0 && <span className="config-version-fields">{[...labels, ...more].join(', ')}</span>}
    </button>
  )
}

type DifferenceProps = Omit<VersionsProps, 'revisions'> & { readonly revision: Revision; readonly currentVersion: number }

function Difference({ section, fields, document, revision: { version }, currentVersion, onRestored }: DifferenceProps) {
  const texts = useConfigurationTexts()
  const { number } = useFormats()
  const [{ data, error }, ask] = useQuery({ query: versionQuery, variables: { section: section.name, version } })
  const { restore, isPending } = useRestore(section, { version, currentVersion, onRestored })
  const then = data?.configurationVersion
  const changes = useMemo(
    () => (then ? changesBetween(fields, [withFingerprints(document), withFingerprints(then)]) : []),
    [fields, document, then],
  )
  const isCurrent = version === currentVersion
  return (
    <section className="config-card config-difference" aria-label={isCurrent ? texts.current : texts.diffTitle(number(version))}>
      <header>
        <h2>{isCurrent ? texts.version(number(version)) : texts.diffTitle(number(version))}</h2>
        {!isCurrent && changes.length > 0 && (
          <Button look="primary" isPending={isPending} onPress={() => void restore()}>
            {texts.restore}
          </Button>
        )}
      </header>
      {error ? (
        <ErrorState error={error} onRetry={() => ask({ requestPolicy: 'network-only' })} />
      ) : !then ? (
        <Skeleton rows={4} />
      ) : changes.length === 0 ? (
        <p className="config-none">{isCurrent ? texts.isCurrent : texts.sameAsNow}</p>
      ) : (
        <ChangesTable label={texts.diffTitle(number(version))} changes={changes} titles={[texts.field, texts.diffNow, texts.diffThen]} />
      )}
    </section>
  )
}

type Restoring = { readonly version: number; readonly currentVersion: number; readonly onRestored: () => void }

function useRestore(section: Section, { version, currentVersion, onRestored }: Restoring) {
  const texts = useConfigurationTexts()
  const { number } = useFormats()
  const client = useClient()
  const refused = useCallback(
    ({ reason }: ServiceError): boolean => {
      if (reason !== 'CHANGED_MEANWHILE') return false
      showToast({ tone: 'bad', title: texts.restoreStale, text: texts.restoreStaleText })
      onRestored()
      return true
    },
    [texts, onRestored],
  )
  const { run, isPending } = useAction(restoreSection, refused)
  const restore = async (): Promise<void> => {
    const data = await run({ section: section.name, version, ifVersion: currentVersion })
    if (!data) return
    showToast({ tone: 'good', title: texts.restored(number(version)), text: texts.restoredText })
    if (section.name === 'THEME') refreshTheme(client)
    onRestored()
  }
  return { restore, isPending }
}
