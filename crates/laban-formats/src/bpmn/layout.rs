//! Where the elements of a choreography are drawn: in columns, each as far to the right as its shortest way from the
//! start is long. Viewers draw nothing without it.

use super::write::line;
use std::collections::HashMap;

const COLUMN: usize = 160;
const ROW: usize = 140;

/// What is drawn.
pub(super) struct Shape {
    /// Its id.
    pub(super) id: String,
    /// For a task: the numbers of the participants on its bands, who starts it first.
    pub(super) bands: Option<(usize, usize)>,
}

impl Shape {
    fn size(&self) -> (usize, usize) {
        match self.bands {
            Some(_) => (100, 80),
            None if self.id.starts_with("Gateway") || self.id == "Parts" => (50, 50),
            None => (36, 36),
        }
    }
}

/// Shapes with places, and flows between them.
pub(super) struct Layout<'a> {
    shapes: &'a [Shape],
    /// The middle of each shape.
    places: Vec<(usize, usize)>,
    flows: Vec<(usize, usize)>,
}

impl<'a> Layout<'a> {
    /// Places shapes, of which the first is the start.
    pub(super) fn new(shapes: &'a [Shape], flows: &[(&str, &str)]) -> Self {
        let numbers: HashMap<&str, usize> =
            shapes.iter().enumerate().map(|(number, shape)| (shape.id.as_str(), number)).collect();
        let number = |id: &str| numbers.get(id).copied().unwrap_or(0);
        let flows: Vec<(usize, usize)> = flows.iter().map(|&(from, to)| (number(from), number(to))).collect();
        let mut nexts: Vec<Vec<usize>> = vec![Vec::new(); shapes.len()];
        for &(from, to) in &flows {
            nexts[from].push(to);
        }
        let mut places = vec![(0, 0); shapes.len()];
        let mut is_placed = vec![false; shapes.len()];
        let mut column = 0;
        let mut current = vec![0];
        is_placed[0] = true;
        while !current.is_empty() {
            let mut following = Vec::new();
            for (row, &shape) in current.iter().enumerate() {
                places[shape] = (100 + column * COLUMN, 100 + row * ROW);
                for &next in &nexts[shape] {
                    if !is_placed[next] {
                        is_placed[next] = true;
                        following.push(next);
                    }
                }
            }
            column += 1;
            current = following;
        }
        Layout { shapes, places, flows }
    }

    /// Writes the diagram.
    pub(super) fn write(&self, text: &mut String) {
        line(text, 1, "<bpmndi:BPMNDiagram id=\"Diagram\">");
        line(text, 2, "<bpmndi:BPMNPlane id=\"Plane\" bpmnElement=\"Choreography\">");
        for (shape, &(x, y)) in self.shapes.iter().zip(&self.places) {
            let id = &shape.id;
            let (width, height) = shape.size();
            let (left, top) = (x - width / 2, y - height / 2);
            shape_at(text, &format!("id=\"{id}_shape\" bpmnElement=\"{id}\""), (left, top, width, height));
            let Some((from, to)) = shape.bands else { continue };
            for (participant, kind, shift) in [(from, "top_initiating", 0), (to, "bottom_non_initiating", height - 20)]
            {
                let band = format!(
                    "id=\"{id}_{kind}\" bpmnElement=\"Participant_{participant}\" \
                     isMessageVisible=\"{}\" participantBandKind=\"{kind}\" choreographyActivityShape=\"{id}_shape\"",
                    participant == from
                );
                shape_at(text, &band, (left, top + shift, width, 20));
            }
        }
        for (number, &(from, to)) in self.flows.iter().enumerate() {
            let (width, _) = self.shapes[from].size();
            let (start_x, start_y) = self.places[from];
            let (end_x, end_y) = self.places[to];
            let attributes = format!("id=\"Flow_{number}_edge\" bpmnElement=\"Flow_{number}\"");
            line(text, 3, &format!("<bpmndi:BPMNEdge {attributes}>"));
            line(text, 4, &format!("<di:waypoint x=\"{}\" y=\"{start_y}\"/>", start_x + width / 2));
            let end_x = end_x - self.shapes[to].size().0 / 2;
            line(text, 4, &format!("<di:waypoint x=\"{end_x}\" y=\"{end_y}\"/>"));
            line(text, 3, "</bpmndi:BPMNEdge>");
        }
        line(text, 2, "</bpmndi:BPMNPlane>");
        line(text, 1, "</bpmndi:BPMNDiagram>");
    }
}

fn shape_at(text: &mut String, attributes: &str, (x, y, width, height): (usize, usize, usize, usize)) {
    line(text, 3, &format!("<bpmndi:BPMNShape {attributes}>"));
    line(text, 4, &format!("<dc:Bounds x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"));
    line(text, 3, "</bpmndi:BPMNShape>");
}
