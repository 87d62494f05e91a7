"""The games, each a folder with rules, protocol, judge, guide, drawing for the viewer, house bots and starter kits."""
