export function writeDocs() {}
