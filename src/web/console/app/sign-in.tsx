import type { SessionLost } from '@call-center-sidecar/client'
import { useEffect, useState } from 'react'
import { Form } from 'react-aria-components/Form'
import { consoleSettings } from '../data/settings.ts'
import type { Credentials } from '../session/exchange-password.ts'
import { signIn } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { useProblem } from '../data/problem.ts'
import { Entrance } from './entrance.tsx'
import { useEntranceTexts } from './entrance-texts.ts'

const lastWorkspaceKey = 'console-workspace'
const noCredentials: Credentials = { email: '', password: '', workspace: '' }

type SignInProps = { readonly loss: SessionLost['reason'] | null; readonly onShown: () => unknown }

export function SignIn({ loss, onShown }: SignInProps) {
  const texts = useEntranceTexts()
  const [given, setGiven] = useState<Credentials>({
    ...noCredentials,
    workspace: localStorage.getItem(lastWorkspaceKey) ?? consoleSettings.workspace,
  })
  const [isChecked, setChecked] = useState(false)
  const { isPending, error, run } = useSignIn()
  const submit = (credentials: Credentials): void => {
    setChecked(true)
    const isComplete = Object.values(credentials).every((value) => value.trim() !== '')
    if (isComplete && isSubdomain.test(workspaceOf(credentials))) run(credentials)
  }
  useEffect(() => {
    document.title = texts.signInTitle
  }, [texts])
  useEffect(() => void onShown(), [onShown])
  return (
    <Entrance>
      <div>
        <h1>{texts.signInTitle}</h1>
        <p className="entrance-lead">{texts.signInLead}</p>
      </div>
      {error !== null ? <SignInProblem error={error} /> : loss && <Notice tone="warn" role="status" title={texts[loss]} />}
      <Form
        className="entrance-form"
        validationBehavior="aria"
        onSubmit={(event) => {
          event.preventDefault()
          submit(given)
        }}
      >
        <CredentialFields given={given} isChecked={isChecked} onChange={setGiven} />
        <Button look="primary" type="submit" isPending={isPending}>
          {texts.signIn}
        </Button>
      </Form>
      <Demo onChoose={submit} />
    </Entrance>
  )
}

type CredentialFieldsProps = {
  readonly given: Credentials
  /** The person tried to sign in: what is missing is said from now on. */
  readonly isChecked: boolean
  readonly onChange: (given: Credentials) => void
}

function CredentialFields({ given, isChecked, onChange }: CredentialFieldsProps) {
  const texts = useEntranceTexts()
  const errorOf = (name: keyof Credentials): string | null => {
    if (given[name].trim() === '') return texts.missing
    return name === 'workspace' && !isSubdomain.test(workspaceOf(given)) ? texts.workspaceForm : null
  }
  const of = (name: keyof Credentials) => ({
    name,
    label: texts[name],
    value: given[name],
    error: isChecked ? errorOf(name) : null,
    onChange: (value: string) => onChange({ ...given, [name]: value }),
  })
  return (
    <>
      <Field {...of('workspace')} hint={texts.workspaceHint} autoComplete="organization" />
      <Field {...of('email')} type="email" autoComplete="username" />
      <Field {...of('password')} type="password" autoComplete="current-password" />
    </>
  )
}

/** People also paste the whole address of their CRM. */
function workspaceOf({ workspace }: Credentials): string {
  return (
    workspace
      .trim()
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .split(/[./:]/)[0] ?? ''
  )
}

const isSubdomain = /^[a-z0-9-]+$/

function useSignIn() {
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  return {
    isPending,
    error,
    run: (credentials: Credentials): void => {
      setPending(true)
      const workspace = workspaceOf(credentials)
      signIn({ ...credentials, email: credentials.email.trim(), workspace })
        .then(() => localStorage.setItem(lastWorkspaceKey, workspace), setError)
        .finally(() => setPending(false))
    },
  }
}

function SignInProblem({ error }: { readonly error: unknown }) {
  const { title, advice } = useProblem(error)
  return (
    <Notice tone="bad" role="alert" title={title}>
      <p>{advice}</p>
    </Notice>
  )
}

/** Members of the sandbox, by one click. */
function Demo({ onChoose }: { readonly onChoose: (credentials: Credentials) => void }) {
  const texts = useEntranceTexts()
  const { demo, workspace } = consoleSettings
  if (!demo) return null
  return (
    <div className="entrance-demo">
      <p>{texts.demo}</p>
      <div>
        {Object.entries(demo.accounts).map(([role, email]) => (
          <Button key={email} onPress={() => onChoose({ email, password: demo.password, workspace })}>
            {role}
          </Button>
        ))}
      </div>
    </div>
  )
}
