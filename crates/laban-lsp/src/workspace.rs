//! The documents that there are, and which of them belong together.
//!
//! A network may be spread over several files. A `.net` file that names a process which is not in it is a *part*; parts
//! in one folder, of which one names a process that the other has, are one network, joined in the order of their names,
//! as if the command had been given these files. A file that names only processes of its own is a network by itself,
//! whatever else is in its folder. A document that is open in the editor counts instead of the file.
//!
//! A workspace is cheap to clone, and a clone stays as it is: one thread can go on answering while another looks for
//! deadlocks. Nothing here reads a file; who does calls [`Workspace::set_folder`].

use crate::document::Document;
use crate::system::{Counters, System};
use crate::text::{Change, Text};
use crate::uri;
use laban::text::Columns;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// All documents, at one moment.
#[derive(Debug, Clone, Default)]
pub(crate) struct Workspace {
    /// What columns count.
    pub(crate) columns: Columns,
    pub(crate) counters: Arc<Counters>,
    /// The documents that are open in the editor, by their keys.
    open: Arc<BTreeMap<String, Arc<Document>>>,
    /// Networks in folders of open documents, as they are on the disk, by folder and key.
    folders: Arc<BTreeMap<String, BTreeMap<String, Arc<Document>>>>,
    /// The networks that were joined, by the numbers of their documents.
    joined: Arc<Mutex<BTreeMap<Vec<u64>, Arc<System>>>>,
    next_number: u64,
}

impl Workspace {
    /// Opens a document, or gives it another text.
    pub(crate) fn open(&mut self, uri: &str, word: &str, version: i32, text: String) {
        let document = self.document_of(uri, word, Some(version), Text::new(text));
        Arc::make_mut(&mut self.open).insert(document.key.clone(), document);
    }

    /// Changes a document that is open. Returns whether there is one.
    pub(crate) fn change(&mut self, uri: &str, version: i32, changes: &[Change]) -> bool {
        let Some(old) = self.open.get(&uri::key(uri)).cloned() else { return false };
        let text = old.text.changed(changes, self.columns);
        let document = self.document_of(&old.uri, &old.word, Some(version), text);
        Arc::make_mut(&mut self.open).insert(document.key.clone(), document);
        true
    }

    /// Closes a document. Returns whether it was open.
    pub(crate) fn close(&mut self, uri: &str) -> bool {
        Arc::make_mut(&mut self.open).remove(&uri::key(uri)).is_some()
    }

    /// Says which networks are in a folder on the disk: the paths of files, and their texts.
    pub(crate) fn set_folder(&mut self, folder: &str, files: Vec<(String, String)>) {
        let old = self.folders.get(folder).cloned().unwrap_or_default();
        let mut documents = BTreeMap::new();
        for (key, text) in files {
            let same = old.get(&key).filter(|document| document.text.content() == text).cloned();
            let document = same.unwrap_or_else(|| {
                let uri = uri::of_path(std::path::Path::new(&key));
                self.document_of(&uri, "", None, Text::new(text))
            });
            documents.insert(key, document);
        }
        Arc::make_mut(&mut self.folders).insert(folder.to_string(), documents);
    }

    /// Forgets the folders in which no document is open, and the networks that were joined of documents that are gone.
    pub(crate) fn tidy(&mut self) {
        let folders: BTreeSet<&str> = self.open.keys().filter_map(|key| uri::folder(key)).collect();
        if self.folders.keys().any(|folder| !folders.contains(folder.as_str())) {
            let keep: BTreeSet<String> = folders.into_iter().map(str::to_string).collect();
            Arc::make_mut(&mut self.folders).retain(|folder, _| keep.contains(folder));
        }
        let of_folders = self.folders.values().flat_map(BTreeMap::values);
        let numbers: BTreeSet<u64> = self.open.values().chain(of_folders).map(|document| document.number).collect();
        let mut joined = self.joined.lock().unwrap_or_else(PoisonError::into_inner);
        joined.retain(|key, _| key.iter().all(|number| numbers.contains(number)));
    }

    fn document_of(&mut self, uri: &str, word: &str, version: Option<i32>, text: Text) -> Arc<Document> {
        self.next_number += 1;
        let (key, uri, word) = (uri::key(uri), uri.to_string(), word.to_string());
        Arc::new(Document::new(key, uri, word, version, text, self.next_number))
    }

    /// The documents that are open, in the order of their keys.
    pub(crate) fn open_documents(&self) -> impl Iterator<Item = &Arc<Document>> {
        self.open.values()
    }

    /// A document that is open.
    pub(crate) fn document(&self, uri: &str) -> Option<&Arc<Document>> {
        self.open.get(&uri::key(uri))
    }

    /// A document by its key: as it is open, or else as it is on the disk.
    pub(crate) fn by_key(&self, key: &str) -> Option<&Arc<Document>> {
        let on_disk = || self.folders.get(uri::folder(key)?)?.get(key);
        self.open.get(key).or_else(on_disk)
    }

    /// What the texts in a document say, each with the parts that it has in other documents.
    pub(crate) fn systems(&self, document: &Document) -> Vec<Arc<System>> {
        let group = self.group(document);
        if group.len() < 2 {
            return document.systems(&self.counters).to_vec();
        }
        let numbers: Vec<u64> = group.iter().map(|document| document.number).collect();
        let mut joined = self.joined.lock().unwrap_or_else(PoisonError::into_inner);
        let system = joined.entry(numbers).or_insert_with(|| {
            let alone = group.iter().flat_map(|document| document.systems(&self.counters).to_vec()).collect();
            Arc::new(System::joined(alone, &self.counters))
        });
        vec![system.clone()]
    }

    /// The documents of the network that a document is a part of, in the order of their keys; none if it is a network
    /// by itself.
    fn group(&self, document: &Document) -> Vec<Arc<Document>> {
        let Some(folder) = uri::folder(&document.key).filter(|_| document.is_network()) else { return Vec::new() };
        if document.ends(&self.counters).missing.is_empty() {
            return Vec::new();
        }
        let parts = self.parts_in(folder);
        let Some(start) = parts.iter().position(|part| part.key == document.key) else { return Vec::new() };
        let mut defined: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, part) in parts.iter().enumerate() {
            let ends = part.ends(&self.counters);
            ends.defined.iter().for_each(|name| defined.entry(name).or_default().push(index));
            ends.missing.iter().for_each(|name| named.entry(name).or_default().push(index));
        }
        let mut reached = BTreeSet::from([start]);
        let mut work = vec![start];
        while let Some(index) = work.pop() {
            let ends = parts[index].ends(&self.counters);
            let needed = ends.missing.iter().filter_map(|name| defined.get(name.as_str()));
            let needing = ends.defined.iter().filter_map(|name| named.get(name.as_str()));
            for &next in needed.chain(needing).flatten() {
                if reached.insert(next) {
                    work.push(next);
                }
            }
        }
        reached.into_iter().map(|index| parts[index].clone()).collect()
    }

    /// The networks in a folder that name a process which they do not have, in the order of their keys.
    fn parts_in(&self, folder: &str) -> Vec<Arc<Document>> {
        let mut documents = self.folders.get(folder).cloned().unwrap_or_default();
        let inside = self.open.iter().filter(|(key, _)| uri::folder(key) == Some(folder));
        documents.extend(inside.map(|(key, document)| (key.clone(), document.clone())));
        let is_part =
            |document: &Arc<Document>| document.is_network() && !document.ends(&self.counters).missing.is_empty();
        documents.into_values().filter(is_part).collect()
    }

    /// The system in which a position of a document is, and the offset in its text.
    pub(crate) fn at(&self, document: &Document, offset: usize) -> Option<(Arc<System>, u32)> {
        let systems = self.systems(document).into_iter();
        systems.filter_map(|system| system.offset(&document.key, offset).map(|at| (system, at))).next()
    }
}
