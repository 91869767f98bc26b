import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { consoleSettings } from '../../../data/settings.ts'
import { useAction } from '../../../data/use-action.ts'
import { useMember } from '../../../session/session.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { provision, type Provisioning } from './documents.ts'
import { SectionStep, type StepContentProps } from './section-step.tsx'
import { useSetupTexts } from './texts.ts'

/** The key to the CRM, and what the CRM lacks. */
export function PlatformStep({ isReady, onChanged, onDirty }: StepContentProps) {
  const texts = useSetupTexts()
  const { workspace } = useMember()
  const address = consoleSettings.workspaceUrl.replace('{workspace}', workspace.subdomain)
  return (
    <>
      <Notice
        title={texts.keyTitle}
        actions={
          address !== '' && (
            <a className="ui-button ui-button-plain ui-button-s" href={address} target="_blank" rel="noreferrer">
              <ExternalLink aria-hidden="true" />
              {texts.openCrm}
            </a>
          )
        }
      >
        <p>{texts.keyHow}</p>
      </Notice>
      <Provision onChanged={onChanged} />
      <SectionStep section="PLATFORM" paths={['apiKey']} onChanged={onChanged} onDirty={onDirty} isReady={isReady} />
    </>
  )
}

const tones: Readonly<Record<Provisioning['items'][number]['state'], Tone>> = {
  EXISTS: 'good',
  CREATED: 'good',
  MISSING: 'warn',
  DIFFERS: 'warn',
  FAILED: 'bad',
}

function Provision({ onChanged }: { readonly onChanged: () => void }) {
  const texts = useSetupTexts()
  const [plan, setPlan] = useState<Provisioning | null>(null)
  const { run, isPending } = useAction(provision)
  const ask = async (apply: boolean): Promise<void> => {
    const data = await run({ apply })
    if (!data) return
    setPlan(data.provision)
    if (apply) onChanged()
  }
  const open = plan?.items.filter(({ state }) => state !== 'EXISTS') ?? []
  const missing = open.filter(({ state }) => state === 'MISSING').length
  return (
    <section className="setup-part" aria-label={texts.provisionTitle}>
      <h3>{texts.provisionTitle}</h3>
      <p className="ui-hint">{texts.provisionText}</p>
      {plan && missing === 0 && open.every(({ state }) => state === 'CREATED') && (
        <Notice tone="good" role="status">
          <p>{texts.provisionComplete}</p>
        </Notice>
      )}
      {plan && open.some(({ state }) => state === 'FAILED' || state === 'DIFFERS') && <Notice tone="warn">{texts.provisionPartly}</Notice>}
      {open.length > 0 && (
        // It scrolls, so it has to be in reach of the keyboard.
        <ul className="setup-items setup-scrolls" tabIndex={0} aria-label={texts.provisionTitle}>
          {open.map(({ kind, name, state, detail }) => (
            <li key={`${kind}-${name}`}>
              <span>
                <code>{name}</code> <span className="ui-hint">{texts[kind]}</span>
                {detail !== null && <span className="ui-hint" lang="en">{` ${detail}`}</span>}
              </span>
              <Badge tone={tones[state]}>{texts[state]}</Badge>
            </li>
          ))}
        </ul>
      )}
      <div className="ui-actions">
        {missing > 0 ? (
          <>
            <Button isPending={isPending} onPress={() => void ask(true)}>
              {texts.provisionApply}
            </Button>
            <span className="ui-hint">{texts.provisionMissing(missing)}</span>
          </>
        ) : (
          <Button isPending={isPending} onPress={() => void ask(false)}>
            {texts.provisionCheck}
          </Button>
        )}
      </div>
    </section>
  )
}
