/** One source file as the rules see it: every import in any form, and its top-level statements. */
import { parseSync } from 'vite';

/** An import. `target` is null if the path is computed and cannot be known. */
export type Import = { readonly target: string | null; readonly typeOnly: boolean };

export type SourceFile = {
  readonly path: string;
  readonly lines: number;
  readonly text: string;
  readonly imports: readonly Import[];
  readonly defaultExport: boolean;
  /** Whether the file only re-exports other files, or re-exports everything from one of them. */
  readonly barrel: boolean;
  /** Names of mutable variables at the top level. */
  readonly mutable: readonly string[];
  /** Every function with a body, in any form. */
  readonly functions: readonly FunctionSize[];
  /** Names of exported constants that are functions and could be declared as such. */
  readonly exportedArrows: readonly string[];
};

/** A function and its number of lines. */
export type FunctionSize = { readonly name: string; readonly lines: number };

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Parses a file's text. @throws if it cannot be parsed */
export function readSource(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const body = program.body as unknown as readonly Node[];
  const imports: Import[] = [];
  const functions: FunctionSize[] = [];
  walk(program, (node, parent) => {
    const found = importOf(node);
    if (found !== null) imports.push(found);
    const size = functionSize(node, parent, text);
    if (size !== null) functions.push(size);
  });
  return {
    path,
    text,
    lines: text.split('\n').length - 1,
    imports,
    defaultExport: body.some(isDefaultExport),
    barrel: isBarrel(body),
    mutable: body.flatMap(mutableNames),
    functions,
    exportedArrows: body.flatMap(exportedArrowNames),
  };
}

function walk(
  value: unknown,
  visit: (node: Node, parent: Node | null) => void,
  parent: Node | null = null,
): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit, parent);
  else if (isNode(value)) {
    visit(value, parent);
    for (const child of Object.values(value)) walk(child, visit, value);
  }
}

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

function functionSize(node: Node, parent: Node | null, text: string): FunctionSize | null {
  if (!FUNCTIONS.includes(node.type) || node.body === null) return null;
  const lines = text.slice(Number(node.start), Number(node.end)).split('\n').length;
  const named = [node.id, parent?.id, parent?.key].find(isNode);
  return { name: String(named?.name ?? 'a function without a name'), lines };
}

/**
 * If the constant has a type, the type says that the function belongs to a family. Without a type, a function
 * declaration is better.
 */
function exportedArrowNames(statement: Node): readonly string[] {
  if (statement.type !== 'ExportNamedDeclaration' || !isNode(statement.declaration)) return [];
  if (statement.declaration.type !== 'VariableDeclaration') return [];
  const declared = statement.declaration.declarations as readonly {
    readonly id: Node;
    readonly init: unknown;
  }[];
  return declared
    .filter(({ id, init }) => isNode(init) && init.type === 'ArrowFunctionExpression' && !id.typeAnnotation)
    .map(({ id }) => String(id.name));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function importOf(node: Node): Import | null {
  switch (node.type) {
    case 'ImportDeclaration':
      return { target: literal(node.source), typeOnly: node.importKind === 'type' };
    case 'ExportAllDeclaration':
      return { target: literal(node.source), typeOnly: node.exportKind === 'type' };
    case 'ExportNamedDeclaration':
      return node.source === null
        ? null
        : { target: literal(node.source), typeOnly: node.exportKind === 'type' };
    case 'ImportExpression':
      return { target: literal(node.source), typeOnly: false };
    case 'TSImportType':
      return { target: literal(node.source ?? node.argument), typeOnly: true };
    case 'TSExternalModuleReference':
      return { target: literal(node.expression), typeOnly: false };
    case 'CallExpression':
      return isRequire(node.callee)
        ? { target: literal((node.arguments as unknown[])[0]), typeOnly: false }
        : null;
    default:
      return null;
  }
}

function literal(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'TSLiteralType') return literal(node.literal);
  return typeof node.value === 'string' ? node.value : null;
}

function isRequire(callee: unknown): boolean {
  return isNode(callee) && callee.type === 'Identifier' && callee.name === 'require';
}

function isDefaultExport(node: Node): boolean {
  if (node.type === 'ExportDefaultDeclaration') return true;
  if (node.type !== 'ExportNamedDeclaration') return false;
  return (node.specifiers as readonly Node[]).some(
    ({ exported }) => isNode(exported) && exported.name === 'default',
  );
}

function isBarrel(body: readonly Node[]): boolean {
  const handsOn = (node: Node) => node.type === 'ExportNamedDeclaration' && node.source !== null;
  const hasAll = body.some(({ type }) => type === 'ExportAllDeclaration');
  return (
    hasAll || (body.some(handsOn) && body.every((node) => handsOn(node) || node.type === 'ImportDeclaration'))
  );
}

/** `let` and `var`, and empty containers, because an empty container is only useful if it is filled later. */
function mutableNames(statement: Node): readonly string[] {
  const node = isNode(statement.declaration) ? statement.declaration : statement;
  if (node.type !== 'VariableDeclaration' || node.declare === true) return [];
  const declared = node.declarations as readonly { readonly id: Node; readonly init: unknown }[];
  return declared
    .filter(({ init }) => node.kind !== 'const' || isEmptyContainer(init))
    .map(({ id }) => String(id.name ?? 'a pattern'));
}

function isEmptyContainer(init: unknown): boolean {
  if (!isNode(init)) return false;
  if (init.type === 'ArrayExpression') return (init.elements as unknown[]).length === 0;
  if (init.type === 'ObjectExpression') return (init.properties as unknown[]).length === 0;
  if (init.type !== 'NewExpression' || !isNode(init.callee)) return false;
  return /^(Weak)?(Map|Set)$/.test(String(init.callee.name)) && (init.arguments as unknown[]).length === 0;
}
