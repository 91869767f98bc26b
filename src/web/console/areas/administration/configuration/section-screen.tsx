import { Link, useParams } from '@tanstack/react-router'
import { ArrowLeft, Compass, History, RotateCcw } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useClient, useQuery } from 'urql'
import { refreshTheme } from '../../../data/theme.ts'
import { useAction } from '../../../data/use-action.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { EmptyState, Skeleton } from '../../../ui/states.tsx'
import { showToast } from '../../../ui/toast.ts'
import { resetSection, sectionQuery, versionOf } from './documents.ts'
import { fieldsOf } from './form/schema.ts'
import type { Values } from './form/values.ts'
import { SectionEditor } from './section-editor.tsx'
import { useSectionTexts } from './section-texts.ts'
import { type Section, sectionOfSlug } from './sections.ts'
import { useConfigurationTexts } from './texts.ts'
import './configuration.css'

/** One section of the configuration. */
export function SectionScreen() {
  const { section: slug = '' } = useParams({ strict: false })
  const section = sectionOfSlug(slug)
  return section ? <KnownSection key={section.name} section={section} /> : <NoSection />
}

export function NoSection() {
  const texts = useConfigurationTexts()
  return (
    <Page title={texts.noSection}>
      <EmptyState icon={<Compass />} title={texts.noSection}>
        <Link to="/administration/configuration">{texts.toConfiguration}</Link>
      </EmptyState>
    </Page>
  )
}

function KnownSection({ section }: { readonly section: Section }) {
  const titles = useSectionTexts()
  const client = useClient()
  const [{ data, error }, reload] = useQuery({ query: sectionQuery, variables: { section: section.name }, requestPolicy: 'network-only' })
  const [own, setOwn] = useState<{ readonly document: Values; readonly draft: Values | null } | null>(null)
  const fields = useMemo(() => fieldsOf(data?.configurationSchema), [data?.configurationSchema])
  const document = own?.document ?? data?.configuration
  const onVersion = useCallback(
    (next: Values, draft: Values | null) => {
      setOwn({ document: next, draft })
      if (section.name === 'THEME') refreshTheme(client)
    },
    [client, section],
  )
  return (
    <Page
      title={titles[section.name]}
      lead={titles[`${section.name}Lead`]}
      actions={document && <Actions section={section} version={versionOf(document)} onReset={(next) => onVersion(next, null)} />}
    >
      {document ? (
        <SectionEditor
          key={versionOf(document)}
          section={section}
          fields={fields}
          document={document}
          draft={own?.draft ?? null}
          onVersion={onVersion}
        />
      ) : (
        <Card>
          {error ? <ErrorState error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} /> : <Skeleton rows={8} />}
        </Card>
      )}
    </Page>
  )
}

type ActionsProps = { readonly section: Section; readonly version: number; readonly onReset: (document: Values) => void }

function Actions({ section, version, onReset }: ActionsProps) {
  const texts = useConfigurationTexts()
  const [isAsking, setAsking] = useState(false)
  const { run, isPending } = useAction(resetSection)
  const reset = async (): Promise<void> => {
    const data = await run({ section: section.name, ifVersion: version })
    setAsking(false)
    if (!data) return
    showToast({ tone: 'good', title: texts.RESET, text: texts.restoredText })
    onReset(data.resetConfiguration)
  }
  return (
    <>
      <Link to="/administration/configuration" className="ui-button ui-button-quiet">
        <ArrowLeft aria-hidden="true" />
        {texts.toConfiguration}
      </Link>
      <Button look="quiet" icon={<RotateCcw />} onPress={() => setAsking(true)}>
        {texts.defaults}
      </Button>
      <Link to="/administration/configuration/$section/history" params={{ section: section.slug }} className="ui-button ui-button-plain">
        <History aria-hidden="true" />
        {texts.history}
      </Link>
      <Dialog
        role="alertdialog"
        title={texts.defaultsTitle}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button look="quiet" onPress={() => setAsking(false)}>
              {texts.cancel}
            </Button>
            <Button look="danger" isPending={isPending} onPress={() => void reset()}>
              {texts.restoreDefaults}
            </Button>
          </>
        }
      >
        <p>{texts.defaultsText}</p>
      </Dialog>
    </>
  )
}
